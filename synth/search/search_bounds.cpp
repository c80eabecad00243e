// What a node costs at least, and when the search of it is over.
#include "synth/search/search.h"

#include <algorithm>
#include <numeric>

namespace swizzle {
namespace {

constexpr std::size_t kDiveVisits = 500;  // times the constraints
constexpr double kHorizon =
    1.25;  // without a completion to compare with, what exceeds the budget so far is not looked into

}  // namespace

std::optional<double> Search::cheapest_left(std::size_t hole) const {
  const CompactTable* const table = propagator_->table_of(problem_.holes[hole]);
  if (!table) return std::nullopt;
  const std::size_t t = table->next_live(0);
  return t < table->list().tables.size() ? costs_.of(hole, table->list(), t) : kInfinity;
}

GuardPrice Search::guard_price(std::size_t hole) const {
  const HoleSpace& space = problem_.holes[hole];
  const double guarded = cost_of(problem_.guarded[hole], options_.issue_costs);
  GuardPrice price{propagator_->is_nonzero(hole) ? kInfinity : 0, guarded, guarded};
  const CompactTable* const table = propagator_->table_of(space);
  if (!table) return price;
  price.everywhere = price.compared = kInfinity;
  for (std::size_t t = table->next_live(0); t < table->list().tables.size(); t = table->next_live(t + 1)) {
    if (table->list().uniform[t] == 0) continue;
    double& least = table->list().uniform[t] > 0 ? price.everywhere : price.compared;
    least = std::min(least, costs_.of(hole, table->list(), t));
    if (price.compared < kInfinity) break;
  }
  return price;
}

CostBound Search::capacity_bound() {
  if (!guarded_) return CostBound(problem_, {}, {}, options_.issue_costs);
  std::vector<GuardPrice> prices;
  for (std::size_t h = 0; h < problem_.holes.size(); ++h) prices.push_back(guard_price(h));
  return CostBound(problem_, propagator_->capacities(), prices, options_.issue_costs, shares_);
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
  double sum = bound_->beyond(known_);
  for (double c : known_) sum += c;
  return sum;
}

void Search::use(const CostBound* bound) {
  bound_ = bound;
  active_.clear();
}

bool Search::over_budget() {
  if (!guarded_) return false;
  std::vector<double>& active = scratch_;
  active = known_;
  for (std::size_t h = 0; h < active.size(); ++h) {
    if (const std::optional<double> least = cheapest_left(h)) active[h] = std::max(active[h], *least);
    else if (propagator_->is_nonzero(h))
      active[h] = std::max(active[h], cost_of(problem_.guarded[h], options_.issue_costs));
  }
  if (active != active_) {
    active_bound_ = std::accumulate(active.begin(), active.end(), bound_->beyond(active));
    active_.swap(active);
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
  for (HoleState& state : open) known_[state.hole] = state.next ? state.next->cost : state.from;
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
    if (state.next->cost == kInfinity && !excluded_) excluded_ = state.hole;
    if (state.next->cost == kInfinity) return false;
  }
  return within_budget(open);
}

void Search::list(HoleState& state, std::size_t limit) {
  known_[state.hole] = kInfinity;
  const double others =
      bound_->beyond(known_) + std::accumulate(known_.begin(), known_.end(), 0.0,
                                               [](double sum, double c) { return c == kInfinity ? sum : sum + c; });
  state.next = std::make_shared<CostClass>(classes_->next(state.hole, state.from, std::min(budget_, best_) - others,
                                                          std::min(state.cheaper + limit, CostClasses::kMostTables),
                                                          *propagator_));
  state.looseness = looseness(state.hole);
  known_[state.hole] = state.next->cost;
}

}  // namespace swizzle
