// What a node costs at least, and when the search of it is over.
#include "synth/search/search.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace swizzle {
namespace {

constexpr std::size_t kDiveVisits = 500;  // times the constraints
constexpr double kHorizon =
    1.25;  // without a completion to compare with, what exceeds the budget so far is not looked into

}  // namespace

std::optional<std::pair<double, double>> Search::cheapest_left(std::size_t hole) const {
  const CompactTable* const table = propagator_->table_of(problem_.holes[hole]);
  if (!table) return std::nullopt;
  const std::size_t first = table->next_live(0);  // of the fewest operations: no other has a lower rank
  if (first == table->list().tables.size()) return std::pair(kInfinity, kInfinity);
  return std::pair(classes_->least_price(hole, 0, *propagator_), costs_.rank(hole, table->list(), first));
}

GuardPrice Search::guard_price(std::size_t hole) const {
  const HoleSpace& space = problem_.holes[hole];
  const GuardedIssues& issues = costs_.issues();
  GuardPrice price{propagator_->is_nonzero(hole) ? kInfinity : 0, issues.all(hole), issues.least_of_active(hole),
                   issues.all(hole), 0};
  const CompactTable* const table = propagator_->table_of(space);
  if (!table) return price;
  price.everywhere = price.compared = price.comparison = kInfinity;
  const TableList& list = table->list();
  for (std::size_t t = table->next_live(0); t < list.tables.size(); t = table->next_live(t + 1)) {
    const double operations = costs_.unit(hole) * list.tables[t].integer_ops;
    if (price.comparison < kInfinity && operations >= price.compared) break;
    if (list.uniform[t] == 0) continue;
    double& least = list.uniform[t] > 0 ? price.everywhere : price.compared;
    least = std::min(least, classes_->price(hole, list, t));
    if (list.uniform[t] < 0) price.comparison = std::min(price.comparison, operations);
  }
  return price;
}

CostBound Search::capacity_bound() {
  if (!guarded_) return CostBound(problem_, {}, {}, options_.issue_costs);
  std::vector<GuardPrice> prices;
  for (std::size_t h = 0; h < problem_.holes.size(); ++h) prices.push_back(guard_price(h));
  return CostBound(problem_, propagator_->capacities(), prices, options_.issue_costs, shares_, products_);
}

bool Search::out_of_time() {
  timed_out_ = timed_out_ || options_.deadline.passed();
  return timed_out_;
}

bool Search::soon_out_of_time() {
  constexpr unsigned kSeldom = 16;
  return timed_out_ || (++asked_for_time_ % kSeldom == 0 && out_of_time());
}

std::size_t Search::dive_visits() const {
  const double gain = best_ < kInfinity ? std::min(1.0, (best_ - root_bound_) / std::max(root_bound_, 1.0)) : 1;
  return static_cast<std::size_t>(
      gain * gain * static_cast<double>(kDiveVisits * (network_.matchings.size() + network_.sums.size())));
}

bool Search::enough() {
  if (out_of_time() || restart_ || hopeless_ || dive_ends()) return true;
  if (options_.all > 0) return found_.size() >= options_.all;
  return !found_.empty() && (options_.first_only || (budget_ < kInfinity && best_ <= budget_ + kCostTolerance));
}

std::size_t Search::looseness(std::size_t hole) const {
  std::size_t sum = 0;
  for (PointId p : problem_.holes[hole].points) sum += static_cast<std::size_t>(domains_.count(p));
  return sum;
}

double Search::bound() const {
  return std::accumulate(known_.prices.begin(), known_.prices.end(),
                         bound_->beyond(known_) + costs_.issues().joint(domains_));
}

void Search::use(const CostBound* bound) {
  bound_ = bound;
  active_ = {};
}

void Search::know(std::size_t hole, double price, double rank) {
  known_.prices[hole] = price;
  known_.ranks[hole] = rank;
}

void Search::know(const HoleState& state) { know(state.hole, state.least, state.next ? state.next->rank : state.from); }

bool Search::over_budget() {
  if (!guarded_) return false;
  KnownCosts& active = scratch_;
  active = known_;
  for (std::size_t h = 0; h < active.prices.size(); ++h) {
    double price = 0, rank = 0;
    if (const auto least = cheapest_left(h)) std::tie(price, rank) = *least;
    else if (propagator_->is_nonzero(h)) price = costs_.issues().least_of_active(h), rank = costs_.issues().all(h);
    active.prices[h] = std::max(active.prices[h], price);
    active.ranks[h] = std::max(active.ranks[h], rank);
  }
  if (active.prices != active_.prices || active.ranks != active_.ranks) {
    active_bound_ = std::accumulate(active.prices.begin(), active.prices.end(), bound_->beyond(active));
    std::swap(active_, active);
  }
  return active_bound_ > (best_ < kInfinity ? best_ - kCostTolerance : budget_ * kHorizon);
}

void Search::keep_for_later(double bound, const std::vector<HoleState>& open) {
  if (bound < best_ - kCostTolerance) frontier_.push_back({bound, chosen_, open});
}

bool Search::within_budget(const std::vector<HoleState>& open) {
  const double least = bound();
  if (least <= budget_ + kCostTolerance && least < best_ - kCostTolerance) return true;
  keep_for_later(least, open);
  return false;
}

bool Search::refresh(std::vector<HoleState>& open) {
  for (const HoleState& state : open) know(state);
  for (HoleState& state : open) {
    if (state.next && state.looseness == looseness(state.hole) && !state.next->beyond) {
      if (state.next->unlisted) least_unlisted_ = std::min(least_unlisted_, bound());
      continue;
    }
    if (state.kept) {
      if (!drop_misfits(state)) return false;
      continue;
    }
    list(state, kFewTables);
    if (state.next->unlisted) least_unlisted_ = std::min(least_unlisted_, bound());
    if (state.next->unlisted && state.next->tables.empty()) return false;
    if (state.next->rank == kInfinity && !excluded_) excluded_ = state.hole;
    if (state.next->rank == kInfinity) return false;
  }
  return within_budget(open);
}

void Search::list(HoleState& state, std::size_t limit) {
  know(state.hole, 0, kInfinity);
  state.next = std::make_shared<CostClass>(classes_->next(state.hole, state.from, std::min(budget_, best_) - bound(),
                                                          std::min(state.cheaper + limit, CostClasses::kMostTables),
                                                          *propagator_));
  state.looseness = looseness(state.hole);
  state.least = least_of(state);
  know(state);
}

double Search::least_of(const HoleState& state) const {
  const CostClass& next = *state.next;
  if (next.rank == kInfinity || next.tables.empty() || next.forced) return next.price;
  return std::min(next.price, classes_->least_price(state.hole, costs_.above(state.hole, next.rank), *propagator_));
}

}  // namespace swizzle
