#include "synth/search/dependent_steps.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace swizzle {
namespace {

// Some value that is chosen was computed from values that others choose: two that one choice has, or one of several
// levels. A guarded sum of guarded products is none.
class Dependence {
 public:
  explicit Dependence(const Provenance& provenance) : provenance_(provenance) {}

  bool is_found() const { return found_; }

  void look_at(Value v) { of(v); }

 private:
  static constexpr int kManyLevels = 2;

  struct Computed {
    bool is_computed = false;  // some sum or function of choices is in it
    int levels = 0;            // of choices above each other that choose what is computed below
  };

  Computed of(Value v) {
    if (found_ || !provenance_.has_choice(v) || provenance_.is_index(v)) return {};
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    const Node& n = provenance_.node(v);
    const bool is_choice = n.kind == Node::Kind::kChoice;
    Computed all{.is_computed = !is_choice};
    std::optional<Value> one;
    n.for_each_part([&](Value part) {
      const Computed below = of(part);
      const bool is_sum = below.is_computed && part.is_node() && provenance_.node(part).kind != Node::Kind::kChoice;
      all.levels = std::max(all.levels, below.levels + (is_choice && is_sum ? 1 : 0));
      if (!below.is_computed) return;
      found_ = found_ || (is_choice && one && *one != part);
      all.is_computed = true;
      one = part;
    });
    found_ = found_ || all.levels >= kManyLevels;
    known_.emplace(v.aux, all);
    return all;
  }

  const Provenance& provenance_;
  std::unordered_map<std::uint32_t, Computed> known_;
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
    if (provenance_.node(v).kind == Node::Kind::kOpaque)
      for (Value choice : choices_below(v)) ways += of(choice);
    else provenance_.node(v).for_each_part([&](Value part) { ways += of(part); });
    return known_[v.aux] = ways;
  }

 private:
  // What a function is of, each once however often it stands there.
  std::vector<Value> choices_below(Value function) const {
    std::vector<Value> found, pending{function};
    std::unordered_set<std::uint32_t> seen;
    while (!pending.empty()) {
      const Value v = pending.back();
      pending.pop_back();
      if (!provenance_.has_choice(v) || !seen.insert(v.aux).second) continue;
      if (provenance_.node(v).kind == Node::Kind::kChoice) found.push_back(v);
      else provenance_.node(v).for_each_part([&](Value part) { pending.push_back(part); });
    }
    return found;
  }

  const Provenance& provenance_;
  std::unordered_map<std::uint32_t, double> known_;
};

}  // namespace

bool has_dependent_steps(const Problem& problem, const std::vector<std::size_t>& equations) {
  Dependence dependence(problem.provenance);
  return std::ranges::any_of(equations, [&](std::size_t e) {
    dependence.look_at(problem.equations[e].actual);
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
