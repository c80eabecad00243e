#include "synth/bounds/product_prices.h"

#include <algorithm>

namespace swizzle {

// Of an issue that may bring several products to an output, each pays its part.
ProductPrices product_prices(const Problem& problem, const ConstraintNetwork& network, const GuardedIssues& issues) {
  ProductPrices prices;
  for (const Matching& matching : network.matchings) {
    std::vector<std::map<std::uint32_t, double>> brought(matching.sums.size());  // products, by issue
    const auto for_each_guard = [&](auto&& visit) {
      for (const Matching::CandidateAssignment& assignment : matching.assignments)
        if (is_condition(assignment.guard, problem.points)) visit(assignment.sum, assignment.guard[0].first);
    };
    for_each_guard([&](std::uint32_t sum, PointId point) {
      for (std::uint32_t issue : issues.issued_at(point, 1)) brought[sum][issue] += 1;
    });
    const std::size_t first = prices.size();
    prices.resize(first + matching.sums.size());
    for_each_guard([&](std::uint32_t sum, PointId point) {
      double price = 0;
      for (std::uint32_t issue : issues.issued_at(point, 1)) price += issues.cost(issue) / brought[sum][issue];
      const auto [known, fresh] = prices[first + sum].try_emplace(problem.points[point].hole.value, price);
      known->second = std::min(known->second, price);
    });
  }
  return prices;
}

}  // namespace swizzle
