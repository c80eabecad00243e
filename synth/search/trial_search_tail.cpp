// What a TrialSearch meets in the middle, and the numbers that refute what it found.
#include <algorithm>
#include <cmath>
#include <ranges>

#include "synth/search/trial_search.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostCombinations = 5'000'000;

}  // namespace

// Where least has to be gone through on the longer side; nothing: what is not listed is open everywhere.
std::optional<std::size_t> TrialSearch::best_start() const {
  double least = kInfinity;
  std::optional<std::size_t> best;
  for (std::size_t start : copied_.starts()) {
    const auto is_open = [&](std::size_t h) { return listed_[h].is_free && last_step_[h] >= start; };
    if (std::ranges::any_of(std::views::iota(std::size_t{0}, listed_.size()), is_open)) continue;
    double before = 0, behind = 0;
    for (std::size_t h = 0; h < listed_.size(); ++h)
      if (!listed_[h].steps.empty())
        (last_step_[h] < start ? before : behind) += std::log(static_cast<double>(listed_[h].trie->all().end));
    if (std::max(before, behind) > least) continue;  // of two, the one with less to keep
    least = std::max(before, behind);
    best = start;
  }
  return best;
}

bool TrialSearch::may_meet() const {
  return !recognized_ && !is_tail_too_long_ && !copied_.starts().empty() && problem_.stores.empty() &&
         !costs_.issues().has_joint();
}

// Where there is too much of it, the search goes from step to step from then on.
void TrialSearch::list_tail() {
  if (!may_meet()) return;
  const std::optional<std::size_t> start = best_start();
  if (!start) return;
  if (!tail_ || tail_->first() != *start) tail_.emplace(graph_, *start);
  std::vector<const TableTrie*> tries;
  for (const Listed& listed : listed_) tries.push_back(listed.trie.get());
  double before = bound();
  for (HoleId hole : tail_->holes()) before -= least_[hole.value];
  const std::size_t most =
      std::min(kMostCombinations, options_.most_trial_nodes - std::min(nodes_, options_.most_trial_nodes));
  is_tail_too_long_ = !tail_->list(tries, {budget_ - before + kCostTolerance, most, options_.all > 0});
  nodes_ += tail_->looked_at();
  tail_left_out_ = is_tail_too_long_ ? kInfinity : before + tail_->least_left_out();
  if (is_tail_too_long_) tail_.reset();
}

// What fits what the steps before the tail leave.
bool TrialSearch::meet() {
  std::vector<CopyTail::Match> matches;
  tail_->find(graph_, matches);
  const std::vector<double> least = least_;
  const std::vector<TableTrie::Range> ranges = ranges_;
  bool done = false;
  for (std::size_t m = 0; m < matches.size() && !done && !gave_up_; ++m) {
    for (std::size_t i = 0; i < tail_->holes().size(); ++i) {
      const std::size_t hole = tail_->holes()[i].value;
      const std::uint32_t table = matches[m].tables[i];
      ranges_[hole] = {table, table + 1};
      least_[hole] = listed_[hole].trie->cost(table);
    }
    done = complete();
  }
  least_ = least;
  ranges_ = ranges;
  return done;
}

// By other numbers, which are quicker asked than forms are compared: a network that sorts one input may not sort all.
bool TrialSearch::is_refuted(const std::vector<HoleTable>& tables) {
  constexpr std::uint64_t kWitnesses = 8;
  for (std::uint64_t seed = 1; rejected_ > 0 && witnesses_.size() < kWitnesses; ++seed)
    witnesses_.push_back(*TrialGraph::of(problem_, equations_, seed, graph_.arithmetic()));
  for (std::size_t w = 0; w < witnesses_.size(); ++w) {
    TrialGraph& witness = witnesses_[w];
    for (std::size_t s = 0; s < witness.steps().size(); ++s) witness.decide(s, tables[witness.steps()[s].hole.value]);
    for (std::size_t s = 0; s < witness.steps().size(); ++s)
      if (!witness.stands(s)) {
        std::swap(witnesses_[w], witnesses_[0]);  // what refutes once will refute again
        return true;
      }
  }
  return false;
}

}  // namespace swizzle
