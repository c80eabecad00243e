#include "synth/bounds/table_costs.h"

#include <algorithm>

namespace swizzle {

bool is_active(const HoleTable& table) {
  return std::any_of(table.values.begin(), table.values.end(), [](std::int16_t v) { return v != 0; });
}

double TableCosts::of(std::size_t hole, int integer_ops, bool active) const {
  return unit(hole) * integer_ops + (active ? cost_of(problem_.guarded[hole], machine_) : 0);
}

double TableCosts::above(std::size_t hole, double cost) const {
  constexpr double kNext = 1e-4;  // a hole that guards something may cost anything: it has that on top
  if (problem_.holes[hole].traits().is_truth() || cost_of(problem_.guarded[hole], machine_) > 0) return cost + kNext;
  return cost + (unit(hole) > 0 ? unit(hole) / 2 : 1);
}

Cost TableCosts::total(const std::vector<HoleTable>& tables) const {
  Cost cost;
  Counts counts = problem_.counts;
  for (std::size_t h = 0; h < tables.size(); ++h) {
    cost.integer_ops += problem_.executions[h] * tables[h].integer_ops;
    if (!is_active(tables[h])) continue;
    counts.shuffles += problem_.guarded[h].shuffles;
    counts.accumulates += problem_.guarded[h].accumulates;
    counts.multiplies += problem_.guarded[h].multiplies;
    counts.shared_wavefronts += problem_.guarded[h].shared_wavefronts;
    counts.loads += problem_.guarded[h].loads;
  }
  cost.shuffles = counts.shuffles;
  cost.accumulates = counts.accumulates;
  cost.multiplies = counts.multiplies;
  cost.shared_wavefronts = counts.shared_wavefronts;
  cost.loads = counts.loads;
  cost.total = cost_of(counts, machine_) + cost.integer_ops * machine_.integer_op;
  return cost;
}

}  // namespace swizzle
