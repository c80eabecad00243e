#include "synth/bounds/product_prices.h"

#include <algorithm>

namespace swizzle {

std::vector<std::map<Branch, BranchOffer>> branch_offers(const Problem& problem, const Matching& matching,
                                                         const GuardedIssues& issues,
                                                         const std::function<bool(std::uint32_t)>& counted) {
  using Issued = std::pair<std::uint32_t, int>;                         // an issue, and at which value
  std::vector<std::map<Issued, double>> brought(matching.sums.size());  // products
  const auto for_each_branch = [&](auto&& visit) {
    for (const Matching::CandidateAssignment& assignment : matching.assignments) {
      const Guard& guard = assignment.guard;
      if (guard.size() == 1 && guard[0].second >= 0 && problem.points[guard[0].first].domain == 2)
        visit(assignment.sum, guard[0].first, guard[0].second);
    }
  };
  for_each_branch([&](std::uint32_t sum, PointId point, int value) {
    for (std::uint32_t issue : issues.issued_at(point, value)) brought[sum][{issue, value}] += 1;
  });
  std::vector<std::map<Branch, BranchOffer>> offers(matching.sums.size());
  for_each_branch([&](std::uint32_t sum, PointId point, int value) {
    double price = 0;
    for (std::uint32_t issue : issues.issued_at(point, value))
      if (counted(issue)) price += issues.cost(issue) / brought[sum][{issue, value}];
    BranchOffer& offer = offers[sum][{problem.points[point].hole.value, value}];
    offer.price = offer.products == 0 ? price : std::min(offer.price, price);
    ++offer.products;
  });
  return offers;
}

ProductPrices product_prices(const Problem& problem, const ConstraintNetwork& network, const GuardedIssues& issues) {
  ProductPrices prices;
  for (const Matching& matching : network.matchings)
    for (const auto& offers : branch_offers(problem, matching, issues, [](std::uint32_t) { return true; })) {
      prices.emplace_back();
      for (const auto& [branch, offer] : offers)
        if (branch.second == 1) prices.back().emplace(branch.first, offer.price);
    }
  return prices;
}

}  // namespace swizzle
