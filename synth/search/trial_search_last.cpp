// The last hole of a chain that only chooses: not listed, but recognized from what the outputs want.
#include <algorithm>

#include "synth/search/trial_search.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostFitting = 4096;  // tables that bring the outputs what they want

}  // namespace

bool TrialSearch::may_be_recognized(std::size_t hole) const {
  if (recognized_ || options_.deadline.passed()) return false;
  const std::size_t first = graph_.steps().size() - listed_[hole].steps.size();
  for (std::size_t s = first; s < graph_.steps().size(); ++s)
    if (graph_.steps()[s].hole.value != hole) return false;
  return graph_.only_chooses_from(first);
}

// From now on the hole's tables are looked for where the steps before are decided; false, if it is not of that kind.
bool TrialSearch::recognize(std::size_t hole) {
  if (!may_be_recognized(hole)) return false;
  least_[hole] = options_.price_beyond ? std::min(listed_[hole].cheapest, least_unlisted(hole)) : least_price(hole, 0);
  recognized_ = hole;
  tail_.reset();
  tail_left_out_ = kInfinity;
  wanted_.emplace(problem_.points);
  listed_[hole].classes.clear();
  listed_[hole].next = kInfinity;
  listed_[hole].trie.reset();
  return true;
}

bool TrialSearch::try_recognized(std::size_t step) {
  const std::size_t hole = *recognized_;
  ++nodes_;
  if (is_over()) return false;
  const std::size_t mark = wanted_->mark();
  std::optional<std::vector<HoleTable>> fitting = std::vector<HoleTable>();
  if (graph_.keep_wanted(step, *wanted_)) fitting = classes_.fitting(hole, *wanted_, kMostFitting);
  wanted_->undo(mark);
  if (!fitting) gave_up_ = true;
  if (gave_up_) return false;
  std::erase_if(*fitting, [&](const HoleTable& t) { return !necessary_.are_issued(hole, t); });
  std::ranges::stable_sort(*fitting, {}, [&](const HoleTable& t) { return price(hole, t); });
  const double least = least_[hole], others = bound() - least;
  bool done = false;
  for (HoleTable& table : *fitting) {
    least_[hole] = price(hole, table);
    if (others + least_[hole] > budget_ + kCostTolerance) {
      exceeded_ = std::min(exceeded_, others + least_[hole]);
      break;
    }
    recognized_table_ = std::move(table);
    done = complete();
    if (done || gave_up_) break;
  }
  least_[hole] = least;
  return done;
}

}  // namespace swizzle
