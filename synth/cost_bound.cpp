#include "synth/cost_bound.h"

#include <algorithm>
#include <map>
#include <set>

namespace swizzle {

double cost_of(const Counts& counts, const Machine& machine) {
  return counts.shuffles * machine.shuffle + counts.accumulates * machine.accumulate + counts.multiplies * machine.multiply +
         counts.shared_wavefronts * machine.shared_wavefront;
}

CostBound::CostBound(const Problem& problem, const std::vector<Propagator::Supply>& supplies, const Machine& machine) {
  std::map<std::vector<std::size_t>, double> bounds;  // by the holes that guard a goal
  for (const Propagator::Supply& supply : supplies) {
    std::vector<std::size_t> holes, capacity;
    std::vector<double> price;
    for (const auto& [hole, products] : supply.offered) {
      holes.push_back(hole);
      capacity.push_back(products);
      price.push_back(cost_of(problem.guarded[hole], machine));
    }
    std::sort(capacity.rbegin(), capacity.rend());
    std::sort(price.begin(), price.end());
    double least = 0;
    for (std::size_t i = 0, have = 0; i < holes.size() && have < supply.needed; ++i) {
      have += capacity[i];
      least += price[i];  // so many holes are needed, and no fewer slots than the cheapest of them
    }
    double& bound = bounds[holes];
    bound = std::max(bound, least);
  }
  std::vector<Group> found;
  for (const auto& [holes, least] : bounds)
    if (least > 0) found.push_back({holes, least});
  std::stable_sort(found.begin(), found.end(), [](const Group& a, const Group& b) { return a.least > b.least; });
  std::set<std::size_t> used;
  for (Group& group : found) {
    if (std::any_of(group.holes.begin(), group.holes.end(), [&](std::size_t h) { return used.contains(h); })) continue;
    used.insert(group.holes.begin(), group.holes.end());
    groups_.push_back(std::move(group));
  }
}

double CostBound::beyond(const std::vector<double>& known) const {
  double missing = 0;
  for (const Group& group : groups_) {
    double have = 0;
    for (std::size_t h : group.holes) have += known[h];
    missing += std::max(0.0, group.least - have);
  }
  return missing;
}

}  // namespace swizzle
