#include "synth/search/node_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace swizzle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

NodeBound::NodeBound(const Problem& problem, const ConstraintNetwork& network, const Domains& domains,
                     Propagator& propagator, const TableCosts& costs, const CostClasses& classes,
                     const IssueCosts& machine)
    : problem_(problem),
      network_(network),
      domains_(domains),
      propagator_(propagator),
      costs_(costs),
      classes_(classes),
      machine_(machine),
      shares_(shared_products(problem, network)),
      guarded_(std::ranges::any_of(problem.guarded,
                                   [&](const GuardedIssue& i) { return cost_of(i.counts, machine) > 0; })) {}

void NodeBound::find_product_prices() { products_ = product_prices(problem_, network_, costs_.issues()); }

void NodeBound::forget() {
  known_ = {std::vector<double>(problem_.holes.size(), 0), std::vector<double>(problem_.holes.size(), 0)};
}

void NodeBound::know(std::size_t hole, double price, double rank) {
  known_.prices[hole] = price;
  known_.ranks[hole] = rank;
}

void NodeBound::know(const HoleState& state) {
  know(state.hole, state.least, state.next ? state.next->rank : state.from);
}

std::optional<std::pair<double, double>> NodeBound::cheapest_left(std::size_t hole) const {
  const CompactTable* const table = propagator_.table_of(problem_.holes[hole]);
  if (!table) return std::nullopt;
  const std::size_t first = table->next_live(0);  // of the fewest operations: no other has a lower rank
  if (first == table->list().tables.size()) return std::pair(kInfinity, kInfinity);
  return std::pair(classes_.least_price(hole, 0, propagator_), costs_.rank(hole, table->list(), first));
}

GuardPrice NodeBound::guard_price(std::size_t hole) const {
  const HoleSpace& space = problem_.holes[hole];
  const GuardedIssues& issues = costs_.issues();
  GuardPrice price{propagator_.is_nonzero(hole) ? kInfinity : 0, issues.all(hole), issues.least_of_active(hole),
                   issues.all(hole), 0};
  const CompactTable* const table = propagator_.table_of(space);
  if (!table) return price;
  price.everywhere = price.compared = price.comparison = kInfinity;
  const TableList& list = table->list();
  for (std::size_t t = table->next_live(0); t < list.tables.size(); t = table->next_live(t + 1)) {
    const double operations = costs_.unit(hole) * list.tables[t].integer_ops;
    if (price.comparison < kInfinity && operations >= price.compared) break;
    if (list.uniform[t] == 0) continue;
    double& least = list.uniform[t] > 0 ? price.everywhere : price.compared;
    least = std::min(least, classes_.price(hole, list, t));
    if (list.uniform[t] < 0) price.comparison = std::min(price.comparison, operations);
  }
  return price;
}

CostBound NodeBound::of_guards() {
  if (!guarded_) return CostBound(problem_, {}, {}, machine_);
  std::vector<GuardPrice> prices;
  for (std::size_t h = 0; h < problem_.holes.size(); ++h) prices.push_back(guard_price(h));
  return CostBound(problem_, propagator_.capacities(), prices, machine_, shares_, products_);
}

const CostBound* NodeBound::use(const CostBound* guards) {
  active_ = {};
  return std::exchange(guards_, guards);
}

double NodeBound::bound() const {
  return std::accumulate(known_.prices.begin(), known_.prices.end(),
                         guards_->beyond(known_) + costs_.issues().joint(domains_));
}

double NodeBound::bound_with_points() {
  KnownCosts& active = scratch_;
  active = known_;
  for (std::size_t h = 0; h < active.prices.size(); ++h) {
    double price = 0, rank = 0;
    if (const auto least = cheapest_left(h)) std::tie(price, rank) = *least;
    else if (propagator_.is_nonzero(h)) price = costs_.issues().least_of_active(h), rank = costs_.issues().all(h);
    active.prices[h] = std::max(active.prices[h], price);
    active.ranks[h] = std::max(active.ranks[h], rank);
  }
  if (active.prices != active_.prices || active.ranks != active_.ranks) {
    active_bound_ = std::accumulate(active.prices.begin(), active.prices.end(), guards_->beyond(active));
    std::swap(active_, active);
  }
  return active_bound_;
}

}  // namespace swizzle
