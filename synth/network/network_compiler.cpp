// Equations → ring equations → candidates → matchings, and sums for the rest.
#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include <fmt/format.h>

#include "synth/network/candidate_matchings.h"
#include "synth/network/constraint_network.h"
#include "synth/network/default_edges.h"
#include "synth/network/matching_builder.h"
#include "synth/network/monomial_classes.h"
#include "synth/network/sum_compiler.h"
#include "synth/problem/bit_equations.h"
#include "synth/provenance/inputs_below.h"

namespace swizzle {
namespace {

class NetworkCompiler {
 public:
  NetworkCompiler(Problem& problem, ConstraintNetwork& network, const Deadline& deadline)
      : problem_(problem),
        network_(network),
        deadline_(deadline),
        fetches_(problem),
        builder_(problem.provenance, fetches_) {}

  std::optional<Conflict> run(const std::vector<std::size_t>& equations) {
    network_.covered.resize(problem_.equations.size(), false);
    network_.exact.resize(problem_.equations.size(), false);
    for (std::size_t e : equations)
      if (deadline_.passed()) return interrupted();
      else if (auto conflict = split(e)) return conflict;
    note_functions();
    for (std::size_t e : equations)
      if (auto conflict = take_in(e)) return conflict;
    take_classes();
    take_wholes();
    if (auto conflict = complete_groups()) return conflict;
    if (auto conflict = form_matchings()) return conflict;
    SumCompiler sums(problem_, network_.sums, deadline_);
    for (const RingEquation& part : rest_)
      if (deadline_.passed()) return interrupted();
      else if (auto conflict = sums.add(part)) return conflict;
    note_storing(fetches_.ways());
    note_storing(sums.ways());
    return std::nullopt;
  }

 private:
  static Conflict interrupted() {
    Conflict conflict;
    conflict.interrupted = true;
    return conflict;
  }

  std::optional<Conflict> split(std::size_t e) {
    const auto [parts, fresh] = parts_of_.try_emplace(e);
    if (!fresh) return std::nullopt;
    auto conflict = split_equation(problem_, e, parts->second);
    if (conflict) parts_of_.erase(parts);
    return conflict;
  }

  // Of all equations, where there are any: those that complete groups are built later.
  void note_functions() {
    FunctionProducts& functions = builder_.functions();
    const auto note = [&](std::size_t e) {
      for (const RingEquation& part : parts_of_.at(e)) functions.note(part);
    };
    for (const auto& [e, parts] : parts_of_) note(e);
    if (!functions.any()) return;
    for (std::size_t e = 0; e < problem_.equations.size(); ++e)
      if (!parts_of_.contains(e) && !split(e)) note(e);
    functions.complete();
  }

  std::optional<Conflict> take_in(std::size_t e) {
    network_.covered[e] = true;
    if (auto conflict = split(e)) return conflict;
    for (const RingEquation& part : parts_of_.at(e))
      if (deadline_.passed()) return interrupted();
      else if (auto made = builder_.build(part)) candidates_.push_back(std::move(*made));
      else rest_.push_back(part);
    return std::nullopt;
  }

  // What is no sum of products may be one in some class of monomials.
  void take_classes() {
    MonomialClasses classes(problem_.provenance);
    std::vector<RingEquation> left;
    for (const RingEquation& whole : rest_) {
      std::vector<RingEquation> others;
      const std::size_t before = candidates_.size();
      for (const RingEquation& part : classes.split(whole))
        if (auto made = builder_.build(part)) candidates_.push_back(std::move(*made));
        else others.push_back(part);
      if (candidates_.size() == before) others = {whole};
      else parts_of_[whole.equation].push_back(whole);  // which more than one matching is to settle
      left.insert(left.end(), others.begin(), others.end());
    }
    rest_ = std::move(left);
  }

  // What is no sum of products may be one function of few fetches.
  void take_wholes() {
    for (const RingEquation& part : rest_) builder_.outputs().note(part);
    builder_.outputs().complete();
    std::erase_if(rest_, [&](const RingEquation& part) {
      auto made = builder_.build_whole(part);
      if (made) candidates_.push_back(std::move(*made));
      return made.has_value();
    });
  }

  // Where outputs have more tuples than they need, others that were not asked for may take the rest: they join, if they
  // share a tuple with them, and so may those that share one with what has joined.
  std::optional<Conflict> complete_groups() {
    for (std::size_t before = 0; before != candidates_.size();) {
      before = candidates_.size();
      const std::vector<bool> wanting = wanting_tuples();
      if (wanting.empty()) return std::nullopt;
      for (std::size_t e = 0; e < problem_.equations.size(); ++e)
        if (auto conflict = network_.covered[e] ? std::nullopt : join_where_wanted(e, wanting)) return conflict;
    }
    return std::nullopt;
  }

  std::vector<bool> wanting_tuples() const {
    std::vector<bool> wanting;
    for (const MatchingComponent& group : grouped(candidates_, builder_)) {
      if (!group.same_ring || group.repeated || group.tuples.size() <= group.monomials) continue;
      wanting.resize(builder_.tuples(), false);
      for (std::uint32_t tuple : group.tuples) wanting[tuple] = true;
    }
    return wanting;
  }

  std::optional<Conflict> join_where_wanted(std::size_t e, const std::vector<bool>& wanting) {
    if (deadline_.passed()) return interrupted();
    const auto candidates = static_cast<std::ptrdiff_t>(candidates_.size()),
               rest = static_cast<std::ptrdiff_t>(rest_.size());
    const auto is_wanted = [&](const CandidateMatching::CandidateAssignment& assignment) {
      return assignment.tuple < wanting.size() && wanting[assignment.tuple];
    };
    if (auto conflict = take_in(e)) return conflict;
    if (std::any_of(candidates_.begin() + candidates, candidates_.end(), [&](const CandidateMatching& d) {
          return std::any_of(d.assignments.begin(), d.assignments.end(), is_wanted);
        }))
      return std::nullopt;
    network_.covered[e] = false;
    candidates_.erase(candidates_.begin() + candidates, candidates_.end());
    rest_.erase(rest_.begin() + rest, rest_.end());
    return std::nullopt;
  }

  std::optional<Conflict> form_matchings() {
    std::vector<MatchingComponent> exact;
    for (MatchingComponent& group : grouped(candidates_, builder_)) {
      if (group.same_ring && group.tuples.size() < group.monomials) {
        Conflict conflict;
        conflict.equation = candidates_[group.candidates[0]].equation.equation;
        conflict.needed = group.monomials;
        conflict.offered = group.tuples.size();
        return conflict;
      }
      if (group.is_exact()) exact.push_back(std::move(group));
      else
        for (std::size_t d : group.candidates) rest_.push_back(candidates_[d].equation);
    }
    MatchingBuilder matchings(problem_.provenance, builder_, fetches_, network_);
    for (const MatchingComponent& group : exact) matchings.note_useful(candidates_, group);
    for (const MatchingComponent& group : exact) {
      if (deadline_.passed()) return interrupted();
      matchings.add(candidates_, group);
      const bool relaxed = is_relaxed(network_.matchings.back());
      for (const Matching::Member& member : network_.matchings.back().sums)
        if (parts_of_[member.equation].size() == 1 && !relaxed) network_.exact[member.equation] = true;
    }
    return std::nullopt;
  }

  void note_storing(const DefaultEdges& ways) {
    network_.storing.resize(problem_.holes.size(), false);
    for (const DefaultEdges::Split& split : ways.splits())
      for (const DefaultEdges::Branch& branch : split.others)
        for (const auto& [point, unused] : branch.steps) network_.storing[problem_.points[point].hole.value] = true;
  }

  bool is_relaxed(const Matching& matching) const {
    return std::any_of(matching.factors.begin(), matching.factors.end(),
                       [&](const Matching::Factor& f) { return network_.fetches[f.fetch].relaxed; });
  }

  Problem& problem_;
  ConstraintNetwork& network_;
  const Deadline& deadline_;
  ElementBuilder fetches_;
  CandidateMatchingBuilder builder_;
  std::map<std::size_t, std::vector<RingEquation>> parts_of_;  // by equation
  std::vector<CandidateMatching> candidates_;
  std::vector<RingEquation> rest_;  // for sums
};

}  // namespace

std::optional<Conflict> add_equations(Problem& problem, const std::vector<std::size_t>& equations,
                                      ConstraintNetwork& network, const Deadline& deadline) {
  return NetworkCompiler(problem, network, deadline).run(equations);
}

namespace {

// Each value of either point meets one of the other.
void propagate_nogoods(const Problem& problem, const SumConstraint& sum, ConstraintNetwork& network) {
  const auto requirement = static_cast<std::uint32_t>(sum.requirement);
  network.nogoods.resize(problem.points.size());
  const auto note = [&](PointId p, int value, PointId q, int other) {
    auto& by_value = network.nogoods[p.value].by_value;
    by_value.resize(static_cast<std::size_t>(problem.points[p].domain));
    by_value[static_cast<std::size_t>(value)].push_back({q, other, requirement});
  };
  assert(sum.asked.size() == 2);
  const PointId p = network.mdds.node(sum.mdd).point, q = sum.asked[0] == p ? sum.asked[1] : sum.asked[0];
  const std::vector<std::pair<int, int>> violations = network.mdds.violations(sum.mdd, problem.points[p].domain);
  const bool are_equal =
      std::all_of(violations.begin(), violations.end(), [](const auto& v) { return v.first == v.second; });
  if (are_equal &&
      violations.size() == static_cast<std::size_t>(std::max(problem.points[p].domain, problem.points[q].domain))) {
    network.nogoods[p.value].unequal.push_back({q, requirement});
    network.nogoods[q.value].unequal.push_back({p, requirement});
    return;
  }
  for (const auto& [a, b] : violations) {
    note(p, a, q, b);
    note(q, b, p, a);
  }
}

}  // namespace

std::optional<Conflict> add_requirement(Problem& problem, std::size_t requirement, ConstraintNetwork& network) {
  SumConstraint sum;
  sum.equation = SumConstraint::npos;
  sum.requirement = requirement;
  sum.mdd = network.mdds.add(problem.provenance, problem.requirements[requirement].violation);
  if (sum.mdd == ViolationMdds::kViolated) return Conflict{SumConstraint::npos, requirement, {}};
  sum.asked = network.mdds.points(sum.mdd);
  sum.telling = network.mdds.telling(sum.mdd);
  if (sum.telling == 1) {
    propagate_nogoods(problem, sum, network);
    return std::nullopt;
  }
  if (!sum.asked.empty()) network.sums.push_back(std::move(sum));
  return std::nullopt;
}

namespace {

// What equations say of points: of a point that chooses among many values, all of it; where most values lead to the
// same, the others.
class Coverage {
 public:
  explicit Coverage(const Problem& problem)
      : problem_(problem),
        node_seen_(problem.provenance.size(), false),
        seen_(problem.points.size()),
        open_(problem.points.size()) {}

  // Whether the equation says something that none did before.
  bool add(const Equation& equation) {
    bool fresh = false;
    if (open_ == 0) return fresh;
    push(equation.actual);
    while (!pending_.empty()) {
      const Node& node = problem_.provenance.node(NodeId(pending_.back()));
      pending_.pop_back();
      if (node.kind == Node::Kind::kChoice) fresh |= note(node);
      node.for_each_part([&](Value part) { push(part); });
    }
    return fresh;
  }

 private:
  void push(Value v) {
    if (!problem_.provenance.has_choice(v) || node_seen_[v.aux]) return;
    node_seen_[v.aux] = true;
    pending_.push_back(v.aux);
  }

  bool note(const Node& node) {
    Seen& seen = seen_[node.tag];
    if (seen.count == node.children().size()) return false;
    seen.values.resize(node.children().size(), false);
    const std::optional<Value> most = majority(node.children());
    const std::size_t before = seen.count;
    for (std::size_t value = 0; value < node.children().size(); ++value)
      if (!seen.values[value] && !(most && node.children()[value] == *most)) {
        seen.values[value] = true;
        ++seen.count;
      }
    if (seen.count == node.children().size()) --open_;
    return seen.count > before;
  }

  struct Seen {
    std::vector<bool> values;
    std::size_t count = 0;
  };
  const Problem& problem_;
  std::vector<bool> node_seen_;
  std::vector<Seen> seen_;  // by point
  std::size_t open_;        // points of which not all has been said
  std::vector<std::uint32_t> pending_;
};

}  // namespace

std::vector<std::size_t> covering_equations(const Problem& problem) {
  Coverage coverage(problem);
  std::vector<std::size_t> chosen;
  for (std::size_t e = 0; e < problem.equations.size(); ++e)
    if (coverage.add(problem.equations[e]) || !problem.provenance.has_choice(problem.equations[e].actual))
      chosen.push_back(e);
  return chosen;
}

namespace {

// By buffer and index, whatever type they are read as.
std::set<std::pair<std::uint32_t, std::int64_t>> elements_below(const Provenance& provenance, Value v) {
  std::set<std::pair<std::uint32_t, std::int64_t>> elements;
  for (NodeId input : inputs_below(provenance, v))
    elements.emplace(provenance.node(input).tag, provenance.node(input).index());
  return elements;
}

// Whether all that `what` is made of lies at the end of some choice, whatever else that choice does.
bool is_offered(const Provenance& provenance, Value actual, Value what) {
  const auto offered = elements_below(provenance, actual), needed = elements_below(provenance, what);
  return std::ranges::includes(offered, needed);
}

}  // namespace

// Domains are narrowed by all outputs together: what one of them alone cannot have is said only where no choice at all
// has it.
std::string explain(const Conflict& conflict, const Problem& problem) {
  if (conflict.hole.valid()) {
    const HoleSpace& hole = problem.holes[conflict.hole.value];
    return fmt::format("no {} for {} gives what the outputs need", hole.traits().family, hole.name);
  }
  if (conflict.equation == SumConstraint::npos) return problem.requirements[conflict.requirement].message;
  const Equation& e = problem.equations[conflict.equation];
  const std::string output = fmt::format("{}[{}]", problem.buffer_names[e.buffer.value], e.slot);
  if (!e.stored) return fmt::format("{} is never stored", output);
  if (conflict.needed > conflict.offered)
    return fmt::format(
        "{}, written by thread {}, and the outputs computed with it need {} different products, and the sketch offers {}",
        output, e.thread, conflict.needed, conflict.offered);
  if (!conflict.missing.is_undefined())
    return fmt::format("{}, written by thread {}, needs {}, {}", output, e.thread,
                       problem.provenance.describe(conflict.missing, problem.buffer_names),
                       is_offered(problem.provenance, e.actual, conflict.missing)
                           ? "and no choice that brings it there serves all outputs"
                           : "which no choice of the holes brings there");
  if (const std::string bit = differing_bit(e, problem.provenance, problem.buffer_names); !bit.empty()) return bit;
  return fmt::format("{}, written by thread {}, cannot become {}{}", output, e.thread,
                     problem.provenance.describe(e.expected, problem.buffer_names),
                     problem.provenance.has_choice(e.actual) ? " while the others are served" : "");
}

}  // namespace swizzle
