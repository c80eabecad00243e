#include "synth/tables/linear_shares.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::size_t kTimesOver = 8;  // that one share may be found, on average

// Calls each(subset) for all that are neither empty nor everything.
template <typename Each>
void for_subsets(std::uint32_t of, Each&& each) {
  for (std::uint32_t subset = (of - 1) & of; subset != 0; subset = (subset - 1) & of) each(subset);
}

}  // namespace

const std::vector<LinearShares::Share>* LinearShares::up_to(int ops, std::size_t limit) {
  if (ops <= listed_) return &shares_;
  if (too_many_ >= 0 && ops >= too_many_) return nullptr;
  if (list(ops, limit)) return &shares_;
  too_many_ = ops;
  return nullptr;
}

bool LinearShares::list(int ops, std::size_t limit) {
  found_.clear();
  most_ = kTimesOver * limit;
  now_ = {};
  add_moved(forms_.first(), ops);
  add_special(ops);
  add_exchanged(ops);
  if (found_.size() > most_) return false;
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  if (found_.size() > limit) return false;
  shares_.clear();
  for (LinearForms::Columns& columns : found_) {
    const int cheapest = forms_.cheapest(columns, around_).ops;
    if (cheapest <= ops) shares_.push_back({std::move(columns), cheapest});
  }
  std::stable_sort(shares_.begin(), shares_.end(), [](const Share& a, const Share& b) { return a.ops < b.ops; });
  listed_ = ops;
  return true;
}

// A pair of bits at this distance changes places, and moved terms add to it.
void LinearShares::add_exchanged(int ops) {
  const LinearForms::Term term{LinearForms::Term::Kind::kExchanged, 0, 1, 1};
  const int left = ops - 1 - term.ops();
  if (left < 0 || forms_.bits() == 0 || forms_.whole(0, around_) == 0) return;
  for (int distance = 1; distance < std::min(forms_.bits(), forms_.rows_); ++distance) {
    const std::uint32_t both = forms_.on(0) & forms_.on(0) >> distance;
    for (std::uint32_t lower = both; lower != 0; lower = (lower - 1) & both) {
      if ((lower & lower << distance) != 0) continue;
      now_ = {};
      now_[forms_.slot(0)] = forms_.whole(0, around_);
      LinearForms::toggle_exchange(now_, forms_.slot(0), distance, lower);
      add_moved(forms_.first(), left);
    }
  }
}

void LinearShares::add_special(int ops) {
  for (const LinearForms::Special& special : forms_.specials_) {
    const int left = ops - 1 - special.term.ops();
    const auto with = [&](std::uint32_t chosen, int more) {
      now_ = {};
      for (std::size_t e = 0; e < special.entries.size(); ++e)
        if ((chosen >> e & 1) != 0) now_[forms_.slot(special.entries[e].diagonal)] ^= special.entries[e].bit;
      add_moved(forms_.first(), more);
    };
    const std::uint32_t all = (std::uint32_t{1} << special.entries.size()) - 1;
    if (left >= 0 && special.is_whole[around_ ? 1 : 0]) with(all, left);
    else if (left >= 1) with(all, left - 1);
    if (left >= 1) for_subsets(all, [&](std::uint32_t chosen) { with(chosen, left - 1); });
  }
}

// What stands in now_, and each sum of it with terms on this diagonal and those behind.
void LinearShares::add_moved(int diagonal, int ops) {
  if (found_.size() > most_) return;
  if (diagonal == forms_.end() || ops < 1) {
    found_.push_back(forms_.columns_of(now_));
    return;
  }
  add_moved(diagonal + 1, ops);
  const int left = ops - (diagonal == 0 ? 1 : 2);
  const std::uint32_t on = forms_.on(diagonal), whole = forms_.whole(diagonal, around_);
  std::uint32_t& now = now_[forms_.slot(diagonal)];
  const std::uint32_t before = now;
  const auto with = [&](std::uint32_t term, int more) {
    now = before ^ term;
    add_moved(diagonal + 1, more);
    now = before;
  };
  if (whole != 0 && left >= 0) with(whole, left);
  if (left < 1) return;
  if (on != 0 && on != whole) with(on, left - 1);
  for_subsets(on, [&](std::uint32_t term) { with(term, left - 1); });
}

}  // namespace swizzle
