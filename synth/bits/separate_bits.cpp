#include "synth/bits/separate_bits.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "synth/machine/machine.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostComputed = 50'000;  // bits of outputs
constexpr std::size_t kMostPoints = 64;        // that one bit asks

class Settling {
 public:
  using Outcome = SeparateBits::Outcome;

  Settling(Problem& problem, const Assignment& decided, const Deadline& deadline)
      : problem_(problem),
        provenance_(problem.provenance),
        deadline_(deadline),
        parent_(decided.size()),
        asked_by_(decided.size()) {
    result_.solution = decided;
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  SeparateBits run(const std::vector<std::size_t>& equations, const std::vector<Value>& actuals) {
    for (const std::size_t e : equations)
      if (!add(e, actuals[e])) return std::move(result_);
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> groups;
    for (const Bit& bit : bits_)
      for (const std::uint32_t p : bit.points) asked_by_[p].push_back(static_cast<std::uint32_t>(&bit - bits_.data()));
    for (std::uint32_t p = 0; p < parent_.size(); ++p)
      if (!asked_by_[p].empty()) groups[root(p)].push_back(p);
    for (auto& [first, points] : groups)
      if (!solve(points, 0)) {
        if (result_.outcome == Outcome::kOpen && !is_over_) impossible(bits_[failed_]);
        return std::move(result_);
      }
    for (int& value : result_.solution) value = std::max(value, 0);
    result_.outcome = Outcome::kSolved;
    return std::move(result_);
  }

 private:
  struct Bit {
    Value actual, expected;
    std::vector<std::uint32_t> points;  // that are open
    std::size_t equation = 0;
    int bit = 0;
  };

  std::uint32_t root(std::uint32_t p) {
    while (parent_[p] != p) p = parent_[p] = parent_[parent_[p]];
    return p;
  }

  void impossible(const Bit& bit) {
    result_.outcome = Outcome::kImpossible;
    result_.equation = bit.equation;
    result_.bit = bit.bit;
  }

  // False: there is an answer already, or it is not for this.
  bool add(std::size_t e, Value actual) {
    const Equation& equation = problem_.equations[e];
    const auto width = static_cast<std::size_t>(bit_width(equation.scalar));
    actual = provenance_.resolve_known(actual, result_.solution, known_);
    if (!has_bits(provenance_, actual) || !has_bits(provenance_, equation.expected)) return false;
    const std::vector<Value> bits = bits_of(provenance_, actual, width),
                             expected = bits_of(provenance_, equation.expected, width);
    for (std::size_t i = 0; i < width; ++i) {
      Bit bit{bits[i], provenance_.normalize(expected[i]), {}, e, static_cast<int>(i)};
      if (provenance_.has_choice(bit.actual)) {
        seen_.clear();
        if (!collect(bit.actual, bit.points) || bit.points.empty()) return false;
        for (const std::uint32_t p : bit.points) parent_[root(p)] = root(bit.points[0]);
        bits_.push_back(std::move(bit));
      } else if (const Value known = provenance_.normalize(bit.actual); !(known == bit.expected)) {
        if (is_normal_form(provenance_, known)) impossible(bit);
        return false;
      }
    }
    return true;
  }

  // False: there are too many.
  bool collect(Value v, std::vector<std::uint32_t>& points) {
    if (!provenance_.has_choice(v) || !seen_.insert(v.aux).second) return true;
    const Node& node = provenance_.node(v);
    if (node.kind == Node::Kind::kChoice && result_.solution[node.tag] < 0 &&
        std::ranges::find(points, node.tag) == points.end())
      points.push_back(node.tag);
    bool fits = points.size() <= kMostPoints;
    node.for_each_part([&](Value part) { fits = fits && collect(part, points); });
    return fits;
  }

  bool is_over() {
    is_over_ = is_over_ || computed_ > kMostComputed || (computed_ % 64 == 0 && deadline_.passed());
    return is_over_;
  }

  // Points from this place on. What a value decides is looked at before the next point is.
  bool solve(const std::vector<std::uint32_t>& points, std::size_t at) {
    if (at == points.size()) return true;
    const std::uint32_t p = points[at];
    for (int v = 0; v < problem_.points[PointId(p)].domain; ++v) {
      result_.solution[p] = v;
      if (holds(p) && solve(points, at + 1)) return true;
      if (is_over_ || result_.outcome != Outcome::kOpen) return false;
    }
    result_.solution[p] = -1;
    return false;
  }

  // All bits that ask this point and no other that is open.
  bool holds(std::uint32_t p) {
    for (const std::uint32_t b : asked_by_[p]) {
      const Bit& bit = bits_[b];
      if (std::ranges::any_of(bit.points, [&](std::uint32_t q) { return result_.solution[q] < 0; })) continue;
      ++computed_;
      if (is_over()) return false;
      PointId blocked;
      DecidedValues known;
      const Value actual = provenance_.normalize(provenance_.resolve(bit.actual, result_.solution, blocked, known));
      if (actual == bit.expected) continue;
      if (!is_normal_form(provenance_, actual)) is_over_ = true;
      failed_ = b;
      return false;
    }
    return true;
  }

  Problem& problem_;
  Provenance& provenance_;
  const Deadline deadline_;
  std::vector<std::uint32_t> parent_;                 // by point: groups
  std::vector<std::vector<std::uint32_t>> asked_by_;  // by point: places in bits_
  std::vector<Bit> bits_;
  std::unordered_set<std::uint32_t> seen_;
  DecidedValues known_;
  std::size_t computed_ = 0, failed_ = 0;
  bool is_over_ = false;
  SeparateBits result_;
};

}  // namespace

SeparateBits settle_separately(Problem& problem, const std::vector<std::size_t>& equations,
                               const std::vector<Value>& actuals, const Assignment& decided, const Deadline& deadline) {
  return Settling(problem, decided, deadline).run(equations, actuals);
}

}  // namespace swizzle
