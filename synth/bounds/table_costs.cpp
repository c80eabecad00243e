#include "synth/bounds/table_costs.h"

#include <algorithm>

namespace swizzle {

bool is_active(const HoleTable& table) {
  return std::any_of(table.values.begin(), table.values.end(), [](std::int16_t v) { return v != 0; });
}

double TableCosts::above(std::size_t hole, double rank) const {
  constexpr double kNext = 1e-4;  // a hole that guards something may cost anything: it has that on top
  if (problem_.holes[hole].traits().is_truth() || issues_.all(hole) > 0) return rank + kNext;
  return rank + (unit(hole) > 0 ? unit(hole) / 2 : 1);
}

// The rank has on top of the operations all that the hole decides about; the price some of it at least.
double TableCosts::least_price(std::size_t hole, double rank) const {
  const double all = issues_.all(hole);
  if (all == 0) return rank;
  const double active = std::max(0.0, rank - all) + std::max(issues_.least_of_active(hole), least_issued(hole));
  if (rank > kCostTolerance) return active;
  return std::min(active, issues_.of(hole, std::vector<std::int16_t>(problem_.holes[hole].points.size(), 0)));
}

Cost TableCosts::total(const std::vector<HoleTable>& tables) const {
  Cost cost;
  Counts counts = issues_.counts(tables);
  counts.shuffles += problem_.counts.shuffles;
  counts.accumulates += problem_.counts.accumulates;
  counts.multiplies += problem_.counts.multiplies;
  counts.shared_wavefronts += problem_.counts.shared_wavefronts;
  counts.loads += problem_.counts.loads;
  for (std::size_t h = 0; h < tables.size(); ++h) cost.integer_ops += problem_.executions[h] * tables[h].integer_ops;
  cost.shuffles = counts.shuffles;
  cost.accumulates = counts.accumulates;
  cost.multiplies = counts.multiplies;
  cost.shared_wavefronts = counts.shared_wavefronts;
  cost.loads = counts.loads;
  cost.total = cost_of(counts, machine_) + cost.integer_ops * machine_.integer_op;
  return cost;
}

}  // namespace swizzle
