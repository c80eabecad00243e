#include "synth/bounds/cost_bound.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

namespace swizzle {

namespace {

// Outputs that joined later have no prices.
std::map<std::size_t, double> products_of(const ProductPrices& products, std::size_t output) {
  return output < products.size() ? products[output] : std::map<std::size_t, double>();
}

// What so many products make guards issue at least, with what is issued for those that are brought anyway.
double issued_for(const Capacity& capacity, std::size_t needed, const std::map<std::size_t, double>& products) {
  const auto price_of = [&](std::size_t hole) {
    const auto known = products.find(hole);
    return known == products.end() ? 0 : known->second;
  };
  double sum = 0;
  for (const auto& [hole, count] : capacity.brought) sum += price_of(hole) * static_cast<double>(count);
  std::vector<std::pair<double, std::size_t>> offers;
  for (const auto& [hole, count] : capacity.offered) offers.emplace_back(price_of(hole), count);
  std::sort(offers.begin(), offers.end());
  for (const auto& [price, count] : offers) {
    const std::size_t taken = std::min(needed, count);
    sum += price * static_cast<double>(taken);
    needed -= taken;
  }
  return sum;
}

// The least that the guards in `more` cost, of which one output needs some.
double least_of(const Capacity& capacity, const std::vector<std::size_t>& more, std::size_t needed,
                const Problem& problem, const std::vector<GuardPrice>& prices, const IssueCosts& machine,
                const std::map<std::size_t, double>& products) {
  std::vector<std::size_t> products_of;
  Capacity of_these{needed};
  std::vector<double> price;
  double comparison = std::numeric_limits<double>::infinity();
  std::size_t compared = 0;
  for (const auto& [hole, count] : capacity.offered) {
    if (std::find(more.begin(), more.end(), hole) == more.end()) continue;
    products_of.push_back(count);
    of_these.offered.emplace_back(hole, count);
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
  const auto comparisons = [&](std::size_t others) {
    return active > others ? comparison * static_cast<double>(active - others) : 0;
  };
  const double each = std::accumulate(price.begin(), price.begin() + static_cast<std::ptrdiff_t>(active), 0.0);
  return std::max(each + comparisons(everywhere + compared),
                  issued_for(of_these, needed, products) + comparisons(everywhere));
}

}  // namespace

CostBound::CostBound(const Problem& problem, const std::vector<Capacity>& capacities,
                     const std::vector<GuardPrice>& prices, const IssueCosts& machine,
                     const std::vector<std::vector<std::size_t>>& shares, const ProductPrices& products)
    : patterns_(shares, capacities, prices),
      prices_(prices) {
  std::map<std::vector<std::size_t>, double> bounds;  // by the holes that guard an output
  for (std::size_t c = 0; c < capacities.size(); ++c) {
    std::vector<std::size_t> more;
    std::size_t needed = capacities[c].needed;
    for (const auto& [hole, count] : capacities[c].offered) {
      if (prices[hole].nowhere > 0) needed -= std::min(needed, count);
      else more.push_back(hole);
    }
    if (needed == 0) continue;
    double& least = bounds[more];
    least = std::max(least, least_of(capacities[c], more, needed, problem, prices, machine, products_of(products, c)));
  }
  groups_ = apart(bounds, {patterns_.holes().begin(), patterns_.holes().end()});
  add_issued(capacities, shares, products);
}

// Of sets of holes with a bound each, some that have no hole in common with each other or with `used`.
std::vector<CostBound::Group> CostBound::apart(const std::map<std::vector<std::size_t>, double>& bounds,
                                               std::set<std::size_t> used) {
  std::vector<Group> found, groups;
  for (const auto& [holes, least] : bounds) {
    assert(least >= 0);
    if (least > 0) found.push_back({holes, least});
  }
  std::stable_sort(found.begin(), found.end(), [](const Group& a, const Group& b) { return a.least > b.least; });
  for (Group& group : found) {
    if (std::any_of(group.holes.begin(), group.holes.end(), [&](std::size_t h) { return used.contains(h); })) continue;
    used.insert(group.holes.begin(), group.holes.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

// Whatever the pattern is, the outputs make the guards issue so much; what is compared costs its comparisons on top.
void CostBound::add_issued(const std::vector<Capacity>& capacities, const std::vector<std::vector<std::size_t>>& shares,
                           const ProductPrices& products) {
  if (products.empty() || shares.empty()) return;
  std::map<std::vector<std::size_t>, double> issued;  // by the holes that guard an output
  for (std::size_t c = 0; c < capacities.size(); ++c) {
    std::vector<std::size_t> holes;
    for (const auto* part : {&capacities[c].offered, &capacities[c].brought})
      for (const auto& [hole, count] : *part) holes.push_back(hole);
    std::sort(holes.begin(), holes.end());
    holes.erase(std::unique(holes.begin(), holes.end()), holes.end());
    if (!std::includes(patterns_.holes().begin(), patterns_.holes().end(), holes.begin(), holes.end())) continue;
    double& least = issued[holes];
    least = std::max(least, issued_for(capacities[c], capacities[c].needed, products_of(products, c)));
  }
  issued_ = apart(issued, {});
  std::vector<GuardPrice> comparisons = prices_;
  for (const Group& group : issued_)
    for (std::size_t h : group.holes) {
      GuardPrice& price = comparisons[h];
      const double infinity = std::numeric_limits<double>::infinity();
      price.nowhere = price.nowhere == infinity ? infinity : 0;
      price.everywhere = price.everywhere == infinity ? infinity : 0;
      price.compared = price.compared == infinity ? infinity : price.comparison;
    }
  if (!issued_.empty()) comparisons_.emplace(shares, capacities, comparisons);
}

// What is known of a guard whose issues are counted by groups is what its expression costs.
KnownCosts CostBound::expressions(const KnownCosts& known) const {
  KnownCosts own = known;
  for (const Group& group : issued_)
    for (std::size_t h : group.holes) own.prices[h] = std::max(0.0, known.ranks[h] - prices_[h].rank);
  return own;
}

double CostBound::issued(const KnownCosts& known) const {
  double sum = 0;
  for (const Group& group : issued_) {
    double least = group.least;
    for (std::size_t h : group.holes)
      if (known.ranks[h] == std::numeric_limits<double>::infinity()) least -= prices_[h].rank;
    sum += std::max(0.0, least);
  }
  return sum;
}

double CostBound::beyond(const KnownCosts& known) const {
  double missing = patterns_.least(known);
  if (comparisons_) missing = std::max(missing, issued(known) + comparisons_->least(expressions(known)));
  for (std::size_t h : patterns_.holes())
    missing -= known.ranks[h] < std::numeric_limits<double>::infinity() ? known.prices[h] : 0;
  for (const Group& group : groups_) {
    double have = 0;
    for (std::size_t h : group.holes)
      have += known.ranks[h] < std::numeric_limits<double>::infinity() ? known.prices[h] : group.least;
    missing += std::max(0.0, group.least - have);
  }
  return missing;
}

bool CostBound::few_patterns(const KnownCosts& known, double below) const {
  constexpr std::size_t kFew = 32;
  if (patterns_.holes().empty()) return false;
  double others = 0;
  for (std::size_t h = 0; h < known.prices.size(); ++h)
    if (!std::binary_search(patterns_.holes().begin(), patterns_.holes().end(), h)) others += known.prices[h];
  return patterns_.are_few(known, below - others, kFew) ||
         (comparisons_ && comparisons_->are_few(expressions(known), below - others - issued(known), kFew));
}

}  // namespace swizzle
