#include "synth/bounds/cost_bound.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace swizzle {

double cost_of(const Counts& counts, const IssueCosts& machine) {
  return counts.shuffles * machine.shuffle + counts.accumulates * machine.accumulate +
         counts.multiplies * machine.multiply + counts.shared_wavefronts * machine.shared_wavefront +
         counts.loads * machine.load;
}

namespace {

// The least that the guards in `more` cost, of which one output needs some.
double least_of(const Capacity& capacity, const std::vector<std::size_t>& more, std::size_t needed,
                const Problem& problem, const std::vector<GuardPrice>& prices, const IssueCosts& machine) {
  std::vector<std::size_t> products_of;
  std::vector<double> price;
  double comparison = std::numeric_limits<double>::infinity();
  std::size_t compared = 0;
  for (const auto& [hole, products] : capacity.offered) {
    if (std::find(more.begin(), more.end(), hole) == more.end()) continue;
    products_of.push_back(products);
    price.push_back(std::min(prices[hole].everywhere, prices[hole].compared));
    compared += prices[hole].everywhere > prices[hole].compared ? 1 : 0;
    // what may be its index differs from thread to thread for nothing: `lane`
    comparison =
        std::min(comparison, problem.holes[hole].traits().index ? 0 : problem.executions[hole] * machine.integer_op);
  }
  std::sort(products_of.begin(), products_of.end());
  std::sort(price.begin(), price.end());
  std::size_t active = 0, everywhere = 0;
  for (std::size_t brought = 0; active < products_of.size() && brought < needed; ++active)
    brought += products_of[products_of.size() - 1 - active];
  for (std::size_t brought = 0; everywhere < products_of.size() && brought + products_of[everywhere] <= capacity.needed;
       ++everywhere)
    brought += products_of[everywhere];
  const std::size_t known = everywhere + compared;
  return std::accumulate(price.begin(), price.begin() + static_cast<std::ptrdiff_t>(active), 0.0) +
         (active > known ? comparison * static_cast<double>(active - known) : 0);
}

}  // namespace

CostBound::CostBound(const Problem& problem, const std::vector<Capacity>& capacities,
                     const std::vector<GuardPrice>& prices, const IssueCosts& machine,
                     const std::vector<std::vector<std::size_t>>& shares)
    : patterns_(shares, capacities, prices) {
  std::map<std::vector<std::size_t>, double> bounds;  // by the holes that guard an output
  for (const Capacity& capacity : capacities) {
    std::vector<std::size_t> more;
    std::size_t needed = capacity.needed;
    for (const auto& [hole, products] : capacity.offered) {
      if (prices[hole].nowhere > 0) needed -= std::min(needed, products);
      else more.push_back(hole);
    }
    if (needed == 0) continue;
    double& least = bounds[more];
    least = std::max(least, least_of(capacity, more, needed, problem, prices, machine));
  }
  std::vector<Group> found;
  for (const auto& [holes, least] : bounds) {
    assert(least >= 0);
    if (least > 0) found.push_back({holes, least});
  }
  std::stable_sort(found.begin(), found.end(), [](const Group& a, const Group& b) { return a.least > b.least; });
  std::set<std::size_t> used(patterns_.holes().begin(), patterns_.holes().end());
  for (Group& group : found) {
    if (std::any_of(group.holes.begin(), group.holes.end(), [&](std::size_t h) { return used.contains(h); })) continue;
    used.insert(group.holes.begin(), group.holes.end());
    groups_.push_back(std::move(group));
  }
}

double CostBound::beyond(const std::vector<double>& known) const {
  double missing = patterns_.least(known);
  for (std::size_t h : patterns_.holes()) missing -= known[h] < std::numeric_limits<double>::infinity() ? known[h] : 0;
  for (const Group& group : groups_) {
    double have = 0;
    for (std::size_t h : group.holes) have += known[h];
    missing += std::max(0.0, group.least - have);
  }
  return missing;
}

bool CostBound::few_patterns(const std::vector<double>& known, double below) const {
  constexpr std::size_t kFew = 32;
  double others = 0;
  for (std::size_t h = 0; h < known.size(); ++h)
    if (!std::binary_search(patterns_.holes().begin(), patterns_.holes().end(), h)) others += known[h];
  return !patterns_.holes().empty() && patterns_.are_few(known, below - others, kFew);
}

}  // namespace swizzle
