#include "synth/search/symmetries.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "synth/problem/stores.h"
#include "synth/tables/shared_tables.h"

namespace swizzle {
namespace {

using Color = std::size_t;

constexpr std::size_t kMostHoles = 256;
constexpr int kRounds = 4;

Color blended(Color a, Color b) { return (a ^ b) * 0x9e3779b97f4a7c15ull + (a << 7) + (b >> 11) + 1; }

// Which holes take part in what, in outline: as many facts as the sketch has accumulates, not as a launch has.
class Outline {
 public:
  Outline(const Problem& problem, const ConstraintNetwork& network, const GuardedIssues& issues)
      : problem_(problem),
        issues_(issues),
        network_(network) {
    std::vector<std::vector<std::size_t>> of_fetch;
    for (std::uint32_t f = 0; f < network.fetches.size(); ++f) of_fetch.push_back(operand(f));
    std::set<std::vector<std::vector<std::size_t>>> kinds;  // of tuples
    std::set<std::tuple<std::size_t, const std::vector<std::vector<std::size_t>>*, std::vector<std::size_t>>> known;
    for (const Matching& matching : network.matchings) {
      std::vector<const std::vector<std::vector<std::size_t>>*> kind_of;
      for (const Matching::Tuple& tuple : matching.tuples) {
        std::vector<std::vector<std::size_t>> operands;
        for (std::uint32_t f : tuple.factors) operands.push_back(of_fetch[matching.factors[f].fetch]);
        std::sort(operands.begin(), operands.end());
        kind_of.push_back(&*kinds.insert(std::move(operands)).first);
      }
      for (const Matching::CandidateAssignment& assignment : matching.assignments) {
        Fact fact{assignment.sum, *kind_of[assignment.tuple], {}};
        for (const auto& [point, unused] : assignment.guard) fact.guard.push_back(hole_of(point));
        if (known.emplace(assignment.sum, kind_of[assignment.tuple], fact.guard).second)
          facts_.push_back(std::move(fact));
      }
    }
  }

  // By hole, a color that a symmetry keeps.
  std::vector<Color> initial() const {
    std::map<std::tuple<GrammarKey, double, std::uint32_t>, Color> classes;
    std::vector<Color> colors;
    for (const HoleSpace& s : problem_.holes) {
      const std::size_t h = s.id.value;
      colors.push_back(classes.try_emplace({grammar_key(s), problem_.executions[h], issues_.shape(h)}, classes.size())
                           .first->second);
    }
    return colors;
  }

  std::vector<Color> refine(std::vector<Color> colors) const {
    for (int round = 0; round < kRounds; ++round) {
      std::vector<std::vector<Color>> seen(colors.size());
      for (const Fact& fact : facts_) {
        std::vector<Color> operands;
        for (const std::vector<std::size_t>& o : fact.operands) operands.push_back(color_of(o, colors));
        std::sort(operands.begin(), operands.end());
        Color all = blended(fact.sum, color_of(fact.guard, colors));
        for (Color c : operands) all = blended(all, c);
        for (std::size_t o = 0; o < fact.operands.size(); ++o)
          for (std::size_t i = 0; i < fact.operands[o].size(); ++i)
            seen[fact.operands[o][i]].push_back(blended(blended(all, color_of(fact.operands[o], colors)), i));
        for (std::size_t i = 0; i < fact.guard.size(); ++i) seen[fact.guard[i]].push_back(blended(all, ~i));
      }
      for (std::size_t h = 0; h < colors.size(); ++h) {
        std::sort(seen[h].begin(), seen[h].end());
        for (Color c : seen[h]) colors[h] = blended(colors[h], c);
      }
    }
    return colors;
  }

 private:
  struct Fact {
    std::size_t sum;
    std::vector<std::vector<std::size_t>> operands;  // holes of each
    std::vector<std::size_t> guard;
  };

  std::size_t hole_of(PointId p) const { return problem_.points[p].hole.value; }

  // The holes that a fetch asks, in the order in which it asks them.
  std::vector<std::size_t> operand(std::uint32_t fetch) const {
    std::vector<std::size_t> holes;
    for (PointId p : network_.fetches[fetch].points)
      if (std::find(holes.begin(), holes.end(), hole_of(p)) == holes.end()) holes.push_back(hole_of(p));
    return holes;
  }

  static Color color_of(const std::vector<std::size_t>& holes, const std::vector<Color>& colors) {
    Color color = holes.size();
    for (std::size_t h : holes) color = blended(color, colors[h]);
    return color;
  }

  const Problem& problem_;
  const GuardedIssues& issues_;
  const ConstraintNetwork& network_;
  std::vector<Fact> facts_;
};

// The symmetry of a and b with what must go with them, if the outline has one.
std::vector<std::size_t> candidate(const Outline& outline, const std::vector<Color>& initial, std::size_t a,
                                   std::size_t b) {
  std::vector<Color> before = initial, after = initial;
  before[a] = after[b] = ~Color{0};
  before[b] = after[a] = ~Color{1};
  before = outline.refine(before);
  after = outline.refine(after);
  VariableSymmetry symmetry;
  for (std::size_t h = 0; h < initial.size(); ++h) {
    const auto found = before[h] == after[h] ? after.begin() + static_cast<std::ptrdiff_t>(h)
                                             : std::find(after.begin(), after.end(), before[h]);
    if (found == after.end()) return {};
    symmetry.push_back(static_cast<std::size_t>(found - after.begin()));
  }
  assert(symmetry.size() == initial.size());
  for (std::size_t h = 0; h < symmetry.size(); ++h)
    if (symmetry[symmetry[h]] != h || initial[symmetry[h]] != initial[h]) return {};
  return symmetry;
}

// Whether the network stays as it is, point by point.
class Verification {
 public:
  Verification(const Problem& problem, const ConstraintNetwork& network)
      : problem_(problem),
        network_(network),
        stores_ask_(points_of_stores(problem)) {
    for (std::uint32_t f = 0; f < network.fetches.size(); ++f) fetch_of_[network.fetches[f].points].push_back(f);
    position_.resize(problem.points.size());
    for (const HoleSpace& s : problem.holes)
      for (std::size_t i = 0; i < s.points.size(); ++i) position_[s.points[i].value] = i;
  }

  bool holds(const VariableSymmetry& symmetry) const {
    const auto moved = [&](PointId p) {
      return symmetry[problem_.points[p].hole.value] != problem_.points[p].hole.value;
    };
    if (std::any_of(stores_ask_.begin(), stores_ask_.end(), moved)) return false;
    for (std::size_t p = 0; p < network_.nogoods.size(); ++p)
      if (!network_.nogoods[p].empty() && moved(PointId(p))) return false;
    for (const SumConstraint& sum : network_.sums) {
      if (std::any_of(sum.asked.begin(), sum.asked.end(), moved)) return false;
      for (const Summand& term : sum.terms)
        for (const Option& option : term.options)
          if (term.open || std::any_of(option.path.begin(), option.path.end(),
                                       [&](const auto& literal) { return moved(literal.first); }))
            return false;
    }
    std::vector<std::uint32_t> image(network_.fetches.size());
    for (std::uint32_t f = 0; f < image.size(); ++f) {
      const std::vector<PointId>& points = network_.fetches[f].points;
      const auto to = std::any_of(points.begin(), points.end(), moved) ? image_of(f, symmetry) : std::optional(f);
      if (!to) return false;
      image[f] = *to;
    }
    return std::all_of(network_.matchings.begin(), network_.matchings.end(),
                       [&](const Matching& c) { return keeps(c, image, symmetry); });
  }

 private:
  PointId image_of(PointId p, const VariableSymmetry& symmetry) const {
    return problem_.holes[symmetry[problem_.points[p].hole.value]].points[position_[p.value]];
  }

  std::optional<std::uint32_t> image_of(std::uint32_t fetch, const VariableSymmetry& symmetry) const {
    const ElementConstraint& f = network_.fetches[fetch];
    std::vector<PointId> points;
    for (PointId p : f.points) points.push_back(image_of(p, symmetry));
    const auto found = fetch_of_.find(points);
    if (found == fetch_of_.end()) return std::nullopt;
    for (std::uint32_t candidate : found->second)
      if (alike(*f.shape, *network_.fetches[candidate].shape)) return candidate;
    return std::nullopt;
  }

  static bool alike(const ElementScheme& a, const ElementScheme& b) {
    return &a == &b || (a.leaves == b.leaves && a.steps == b.steps && a.alternatives == b.alternatives);
  }

  // Every tuple and every assignment has its image in the matching.
  bool keeps(const Matching& matching, const std::vector<std::uint32_t>& image,
             const VariableSymmetry& symmetry) const {
    using Key = std::tuple<std::vector<std::uint32_t>, std::vector<NodeId>, std::uint32_t>;
    const auto key = [&](const Matching::Tuple& tuple, bool mapped) {
      std::vector<std::uint32_t> fetches;
      for (std::uint32_t f : tuple.factors)
        fetches.push_back(mapped ? image[matching.factors[f].fetch] : matching.factors[f].fetch);
      std::sort(fetches.begin(), fetches.end());
      return Key{std::move(fetches), tuple.fixed, tuple.fits};
    };
    std::map<Key, std::uint32_t> tuple_of;
    for (std::uint32_t t = 0; t < matching.tuples.size(); ++t)
      if (!tuple_of.emplace(key(matching.tuples[t], false), t).second) return false;
    std::vector<std::uint32_t> to;
    for (const Matching::Tuple& tuple : matching.tuples) {
      const auto found = tuple_of.find(key(tuple, true));
      if (found == tuple_of.end()) return false;
      to.push_back(found->second);
    }
    using CandidateAssignment =
        std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::vector<std::pair<std::uint32_t, int>>>;
    std::vector<CandidateAssignment> before, after;
    for (const Matching::CandidateAssignment& assignment : matching.assignments) {
      std::vector<std::pair<std::uint32_t, int>> guard, guard_image;
      for (const auto& [point, value] : assignment.guard) {
        guard.emplace_back(point.value, value);
        guard_image.emplace_back(image_of(point, symmetry).value, value);
      }
      before.emplace_back(assignment.tuple, assignment.sum, assignment.fits, std::move(guard));
      after.emplace_back(to[assignment.tuple], assignment.sum, assignment.fits, std::move(guard_image));
    }
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    return before == after;
  }

  const Problem& problem_;
  const ConstraintNetwork& network_;
  const std::vector<PointId> stores_ask_;
  std::map<std::vector<PointId>, std::vector<std::uint32_t>> fetch_of_;  // by points
  std::vector<std::size_t> position_;                                    // by point, in its hole
};

}  // namespace

std::vector<VariableSymmetry> find_symmetries(const Problem& problem, const ConstraintNetwork& network,
                                              const GuardedIssues& issues) {
  std::vector<VariableSymmetry> found;
  if (problem.holes.size() > kMostHoles) return found;
  const Outline outline(problem, network, issues);
  const std::vector<Color> initial = outline.initial(), refined = outline.refine(initial);
  std::set<VariableSymmetry> known;
  std::optional<Verification> verification;
  for (std::size_t a = 0; a < refined.size(); ++a)
    for (std::size_t b = a + 1; b < refined.size(); ++b) {
      if (refined[a] != refined[b] || problem.holes[a].points.empty()) continue;
      VariableSymmetry symmetry = candidate(outline, initial, a, b);
      if (symmetry.empty() || !known.insert(symmetry).second) continue;
      if (!verification) verification.emplace(problem, network);
      assert(symmetry[a] == b && symmetry[b] == a);
      if (verification->holds(symmetry)) found.push_back(std::move(symmetry));
    }
  return found;
}

}  // namespace swizzle
