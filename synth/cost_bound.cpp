#include "synth/cost_bound.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace swizzle {

double cost_of(const Counts& counts, const Machine& machine) {
  return counts.shuffles * machine.shuffle + counts.accumulates * machine.accumulate + counts.multiplies * machine.multiply +
         counts.shared_wavefronts * machine.shared_wavefront + counts.loads * machine.load;
}

CostBound::CostBound(const Problem& problem, const std::vector<Propagator::Supply>& supplies, const Machine& machine) {
  struct Demand {
    double guarded = 0;               // the cheapest holes that can bring what some output needs
    std::size_t active = 0;           // that are needed for it
    std::size_t everywhere = ~std::size_t{0};  // that can be true everywhere and bring no output too much
  };
  std::map<std::vector<std::size_t>, Demand> demands;  // by the holes that guard an output
  for (const Propagator::Supply& supply : supplies) {
    std::vector<std::size_t> holes, capacity;
    std::vector<double> price;
    for (const auto& [hole, products] : supply.offered) {
      holes.push_back(hole);
      capacity.push_back(products);
      price.push_back(cost_of(problem.guarded[hole], machine));
    }
    std::sort(capacity.begin(), capacity.end());
    std::sort(price.begin(), price.end());
    Demand& demand = demands[holes];
    std::size_t everywhere = 0, active = 0;
    for (std::size_t brought = 0; everywhere < holes.size() && brought + capacity[everywhere] <= supply.needed; ++everywhere) brought += capacity[everywhere];
    for (std::size_t brought = 0; active < holes.size() && brought < supply.needed; ++active) brought += capacity[holes.size() - 1 - active];
    demand.everywhere = std::min(demand.everywhere, everywhere);
    demand.active = std::max(demand.active, active);
    demand.guarded = std::max(demand.guarded, std::accumulate(price.begin(), price.begin() + static_cast<std::ptrdiff_t>(active), 0.0));
  }
  std::map<std::vector<std::size_t>, double> bounds;
  for (const auto& [holes, demand] : demands) {
    double comparison = std::numeric_limits<double>::infinity();
    for (std::size_t hole : holes)  // a transformation may differ from thread to thread for nothing: `lane`
      comparison = std::min(comparison, problem.holes[hole].kind == HoleKind::kXform ? 0 : problem.executions[hole] * machine.integer_op);
    bounds[holes] = demand.guarded + (demand.active > demand.everywhere ? comparison * static_cast<double>(demand.active - demand.everywhere) : 0);
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
