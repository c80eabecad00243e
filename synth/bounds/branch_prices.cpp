#include "synth/bounds/branch_prices.h"

#include <algorithm>
#include <map>

#include "synth/base/bits.h"
#include "synth/bounds/product_prices.h"

namespace swizzle {
namespace {

// By issue: it is issued at 0 of some points and at 1 of others, so that it would count twice.
std::vector<bool> issued_at_both(const Problem& problem, const GuardedIssues& issues) {
  std::vector<std::uint8_t> seen(problem.guarded.size(), 0);
  for (const HoleSpace& space : problem.holes)
    for (PointId point : space.points)
      for (int value : {0, 1})
        for (std::uint32_t issue : issues.issued_at(point, value))
          seen[issue] = static_cast<std::uint8_t>(seen[issue] | 1 << value);
  std::vector<bool> both;
  for (std::uint8_t values : seen) both.push_back(values == 3);
  return both;
}

}  // namespace

std::vector<double> branch_prices(const Problem& problem, const ConstraintNetwork& network,
                                  const GuardedIssues& issues) {
  const std::vector<bool> both = issued_at_both(problem, issues);
  std::map<Branch, double> least;
  for (const Matching& matching : network.matchings) {
    const auto offers = branch_offers(problem, matching, issues, [&](std::uint32_t issue) { return !both[issue]; });
    std::vector<std::size_t> total(matching.sums.size(), 0);
    for (const Matching::CandidateAssignment& assignment : matching.assignments) ++total[assignment.sum];
    for (std::size_t sum = 0; sum < offers.size(); ++sum) {
      const auto needed = static_cast<std::size_t>(size(matching.sums[sum].needs.data(), matching.words));
      for (const auto& [branch, offer] : offers[sum])
        if (const std::size_t others = total[sum] - offer.products; needed > others)
          least[branch] = std::max(least[branch], static_cast<double>(needed - others) * offer.price);
    }
  }
  std::vector<double> prices(problem.holes.size(), 0);
  for (const auto& [branch, price] : least) prices[branch.first] += price;
  return prices;
}

}  // namespace swizzle
