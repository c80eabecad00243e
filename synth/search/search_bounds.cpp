// The tables that are next at a node, and when the search of it is over.
#include "synth/search/search.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::size_t kDiveVisits = 500;  // times the constraints
constexpr double kHorizon =
    1.25;  // without a completion to compare with, what exceeds the budget so far is not looked into

}  // namespace

bool Search::out_of_time() {
  findings_.timed_out = findings_.timed_out || options_.deadline.passed();
  return findings_.timed_out;
}

bool Search::soon_out_of_time() {
  constexpr unsigned kSeldom = 16;
  return findings_.timed_out || (++asked_for_time_ % kSeldom == 0 && out_of_time());
}

std::size_t Search::dive_visits() const {
  const double gain = best_ < kInfinity ? std::min(1.0, (best_ - root_bound_) / std::max(root_bound_, 1.0)) : 1;
  return static_cast<std::size_t>(
      gain * gain * static_cast<double>(kDiveVisits * (network_.matchings.size() + network_.sums.size())));
}

bool Search::enough() {
  if (out_of_time() || restart_ || findings_.hopeless || dive_ends()) return true;
  if (options_.all > 0) return findings_.found.size() >= options_.all;
  return !findings_.found.empty() &&
         (options_.first_only || (budget_ < kInfinity && best_ <= budget_ + kCostTolerance));
}

std::size_t Search::looseness(std::size_t hole) const {
  std::size_t sum = 0;
  for (PointId p : problem_.holes[hole].points) sum += static_cast<std::size_t>(domains_.count(p));
  return sum;
}

bool Search::over_budget() {
  return node_->has_guards() &&
         node_->bound_with_points() > (best_ < kInfinity ? best_ - kCostTolerance : budget_ * kHorizon);
}

void Search::keep_for_later(double bound, const std::vector<HoleState>& open) {
  if (bound < best_ - kCostTolerance) frontier_.push_back({bound, chosen_, open});
}

bool Search::within_budget(const std::vector<HoleState>& open) {
  const double least = node_->bound();
  if (least <= budget_ + kCostTolerance && least < best_ - kCostTolerance) return true;
  keep_for_later(least, open);
  return false;
}

void Search::note_unlisted(const std::vector<HoleState>& open) {
  double spared = 0;
  std::optional<std::size_t> hole;
  for (const HoleState& state : open) {
    if (!state.next || !state.next->unlisted) continue;
    hole = state.hole;
    spared += state.next->spared;
  }
  if (!hole || node_->bound() - spared >= findings_.least_unlisted) return;
  findings_.least_unlisted = node_->bound() - spared;
  findings_.unlisted = hole;
}

bool Search::refresh(std::vector<HoleState>& open) {
  for (const HoleState& state : open) node_->know(state);
  for (HoleState& state : open) {
    if (state.next && state.looseness == looseness(state.hole) && !state.next->beyond) continue;
    if (state.kept) {
      if (!drop_misfits(state)) return false;
      continue;
    }
    list(state, kFewTables);
    if (state.next->is_last) {
      note_unlisted(open);
      return false;
    }
    if (state.next->rank == kInfinity && !findings_.excluded) findings_.excluded = state.hole;
    if (state.next->rank == kInfinity) return false;
  }
  note_unlisted(open);
  return within_budget(open);
}

void Search::list(HoleState& state, std::size_t limit) {
  node_->know(state.hole, 0, kInfinity);
  state.next = std::make_shared<CostClass>(
      classes_->next(state.hole, state.from, std::min(budget_, best_) - node_->bound(),
                     std::min(state.cheaper + limit, CostClasses::kMostTables), *propagator_));
  state.looseness = looseness(state.hole);
  state.least = least_of(state);
  node_->know(state);
}

double Search::least_of(const HoleState& state) const {
  const CostClass& next = *state.next;
  if (next.rank == kInfinity || next.tables.empty() || next.forced) return next.price;
  return std::min(next.price, classes_->least_price(state.hole, costs_.above(state.hole, next.rank), *propagator_));
}

}  // namespace swizzle
