#include "synth/search/dependent_steps.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace swizzle {
namespace {

// Some value that is chosen was computed from values that others choose.
class Dependence {
 public:
  explicit Dependence(const Provenance& provenance) : provenance_(provenance) {}

  bool is_found() const { return found_; }

  // Whether some sum or function of choices is in it.
  bool is_computed(Value v) {
    if (found_ || !provenance_.has_choice(v) || provenance_.is_index(v)) return false;
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    const Node& n = provenance_.node(v);
    bool computed = n.kind != Node::Kind::kChoice;
    std::optional<Value> one;
    n.for_each_part([&](Value part) {
      if (!is_computed(part)) return;
      found_ = found_ || (n.kind == Node::Kind::kChoice && one && *one != part);
      computed = true;
      one = part;
    });
    known_.emplace(v.aux, computed);
    return computed;
  }

 private:
  const Provenance& provenance_;
  std::unordered_map<std::uint32_t, bool> known_;
  bool found_ = false;
};

// In how many ways a value may come to where it is.
class Ways {
 public:
  explicit Ways(const Provenance& provenance) : provenance_(provenance) {}

  double of(Value v) {
    if (!provenance_.has_choice(v)) return 1;
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    double ways = 0;
    provenance_.node(v).for_each_part([&](Value part) { ways += of(part); });
    return known_[v.aux] = ways;
  }

 private:
  const Provenance& provenance_;
  std::unordered_map<std::uint32_t, double> known_;
};

}  // namespace

bool has_dependent_steps(const Problem& problem, const std::vector<std::size_t>& equations) {
  Dependence dependence(problem.provenance);
  return std::ranges::any_of(equations, [&](std::size_t e) {
    dependence.is_computed(problem.equations[e].actual);
    return dependence.is_found();
  });
}

bool has_more_ways_than_tables(const Problem& problem, const std::vector<std::size_t>& equations) {
  double settings_log10 = 0;
  for (const HoleSpace& space : problem.holes)
    if (!space.points.empty()) settings_log10 = std::max(settings_log10, raw_space_log10(space));
  Ways ways(problem.provenance);
  return std::ranges::any_of(
      equations, [&](std::size_t e) { return std::log10(ways.of(problem.equations[e].actual)) > settings_log10; });
}

}  // namespace swizzle
