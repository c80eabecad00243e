#include "synth/bounds/branch_prices.h"

#include <algorithm>
#include <map>
#include <utility>

#include "synth/base/bits.h"

namespace swizzle {
namespace {

// A hole, and the value that its guards ask.
using Branch = std::pair<std::size_t, int>;

struct Offer {
  std::size_t products = 0;
  double price = 0;  // the least of one of them
};

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

class Offers {
 public:
  Offers(const Problem& problem, const Matching& matching, const GuardedIssues& issues, const std::vector<bool>& both)
      : problem_(problem),
        issues_(issues),
        both_(both),
        brought_(matching.sums.size()),
        total_(matching.sums.size(), 0),
        by_branch_(matching.sums.size()) {
    for (const Matching::CandidateAssignment& assignment : matching.assignments) {
      ++total_[assignment.sum];
      if (is_branch(assignment.guard))
        for (std::uint32_t issue : issued(assignment.guard)) brought_[assignment.sum][issue] += 1;
    }
    for (const Matching::CandidateAssignment& assignment : matching.assignments)
      if (is_branch(assignment.guard)) add(assignment);
  }

  // What the sum makes a branch issue that must bring what nothing else does.
  template <typename Visit>
  void for_each(std::size_t sum, std::size_t needed, Visit&& visit) const {
    for (const auto& [branch, offer] : by_branch_[sum])
      if (const std::size_t others = total_[sum] - offer.products; needed > others)
        visit(branch, static_cast<double>(needed - others) * offer.price);
  }

 private:
  bool is_branch(const Guard& guard) const {
    return guard.size() == 1 && guard[0].second >= 0 && problem_.points[guard[0].first].domain == 2;
  }
  const std::vector<std::uint32_t>& issued(const Guard& guard) const {
    return issues_.issued_at(guard[0].first, guard[0].second);
  }

  // Of an issue that may bring several products to a sum, each pays its part.
  void add(const Matching::CandidateAssignment& assignment) {
    double price = 0;
    for (std::uint32_t issue : issued(assignment.guard))
      if (!both_[issue]) price += issues_.cost(issue) / brought_[assignment.sum][issue];
    const auto& [point, value] = assignment.guard[0];
    Offer& offer = by_branch_[assignment.sum][{problem_.points[point].hole.value, value}];
    offer.price = offer.products == 0 ? price : std::min(offer.price, price);
    ++offer.products;
  }

  const Problem& problem_;
  const GuardedIssues& issues_;
  const std::vector<bool>& both_;
  std::vector<std::map<std::uint32_t, double>> brought_;  // by sum: products, by issue
  std::vector<std::size_t> total_;                        // by sum: what it is offered
  std::vector<std::map<Branch, Offer>> by_branch_;        // by sum
};

}  // namespace

std::vector<double> branch_prices(const Problem& problem, const ConstraintNetwork& network,
                                  const GuardedIssues& issues) {
  const std::vector<bool> both = issued_at_both(problem, issues);
  std::map<Branch, double> least;
  for (const Matching& matching : network.matchings) {
    const Offers offers(problem, matching, issues, both);
    for (std::size_t sum = 0; sum < matching.sums.size(); ++sum)
      offers.for_each(sum, static_cast<std::size_t>(size(matching.sums[sum].needs.data(), matching.words)),
                      [&](const Branch& branch, double price) { least[branch] = std::max(least[branch], price); });
  }
  std::vector<double> prices(problem.holes.size(), 0);
  for (const auto& [branch, price] : least) prices[branch.first] += price;
  return prices;
}

}  // namespace swizzle
