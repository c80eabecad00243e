#include "synth/trials/step_test.h"

#include <algorithm>
#include <utility>

namespace swizzle {
namespace {

constexpr std::size_t kMostVisitsOfOne = 1024;  // a test that takes more is passed

}  // namespace

StepTest::StepTest(TrialGraph& graph, CopiedValues& copied, std::vector<const TableTrie*> others, HoleId hole,
                   std::size_t points, const Limits& limits)
    : graph_(graph),
      copied_(copied),
      others_(std::move(others)),
      hole_(hole),
      limits_(limits) {
  table_.values.resize(points);
  known_.resize(points);
  std::vector<std::size_t> steps(others_.size(), 0);  // by hole
  for (std::size_t s = 0; s < graph_.steps().size(); ++s) {
    const HoleId of = graph_.steps()[s].hole;
    if (of == hole_ && steps[of.value] == 0) first_step_ = s;
    depth_of_.push_back(steps[of.value]++);
  }
  for (const TableTrie* trie : others_) ranges_.push_back(trie != nullptr ? trie->all() : TableTrie::Range{});
}

bool StepTest::passes(const std::vector<std::size_t>& positions, const std::vector<std::int16_t>& values) {
  is_over_ = is_over_ || is_past_limit();
  if (is_over_) return false;
  std::fill(known_.begin(), known_.end(), char{0});
  for (std::size_t i = 0; i < positions.size(); ++i) {
    table_.values[positions[i]] = values[i];
    known_[positions[i]] = 1;
  }
  if (!first_step_) return true;
  if (is_refuted_at_first()) return false;
  const bool is_first_alone =
      is_known(*first_step_) && positions.size() == graph_.steps()[*first_step_].positions.size();
  return is_first_alone || passes_with_what_is_known();
}

// Many tables have the same values at the first of the steps.
bool StepTest::is_refuted_at_first() {
  if (!is_known(*first_step_)) return false;
  const std::vector<std::size_t>& positions = graph_.steps()[*first_step_].positions;
  std::vector<std::int16_t> values;
  for (std::size_t p : positions) values.push_back(table_.values[p]);
  const auto [passes, is_new] = passes_first_.try_emplace(std::move(values), true);
  if (is_new) {
    const std::vector<char> known = known_;
    std::fill(known_.begin(), known_.end(), char{0});
    for (std::size_t p : positions) known_[p] = 1;
    passes->second = passes_with_what_is_known();
    known_ = known;
  }
  return !passes->second;
}

bool StepTest::passes_with_what_is_known() {
  end_ = graph_.steps().size();
  bool any = false, all_known = true, all_decided = true;  // of the hole's steps; those before the last that is known
  for (std::size_t s = 0; s < graph_.steps().size(); ++s) {
    if (graph_.steps()[s].hole != hole_) continue;
    if (is_known(s)) any = true, end_ = graph_.steps().size(), all_decided = all_known;
    else end_ = std::min(end_, s), all_known = false;
  }
  if (!any) return true;
  visits_before_ = visits_;
  const bool passes = passes_from(0, all_decided);
  for (std::size_t s = 0; s < end_; ++s) graph_.open(s);
  if (all_decided) ++from_start_, passed_ += passes ? 1 : 0;
  return passes;
}

bool StepTest::is_past_limit() {
  constexpr std::size_t kSeldom = 256, kFew = 4, kVeryFew = 16;  // of so many, no more than one is to pass
  if (++tested_ % kSeldom == 0 && limits_.deadline.passed()) return true;
  if (from_start_ < kSeldom) return visits_ > limits_.most_visits;
  return visits_ > limits_.most_visits * (kVeryFew * passed_ > from_start_ ? 1 : kVeryFew) ||
         (limits_.is_to_refute && kFew * passed_ > from_start_);
}

bool StepTest::is_known(std::size_t step) const {
  const TrialStep& of = graph_.steps()[step];
  return of.hole == hole_ && std::ranges::all_of(of.positions, [&](std::size_t p) { return known_[p] != 0; });
}

// all_decided: the steps before. Behind one that is open, what others decide is open as well.
bool StepTest::passes_from(std::size_t step, bool all_decided) {
  if (step >= end_ || visits_ - visits_before_ > kMostVisitsOfOne) return true;
  if (is_known(step)) return passes_with(step, table_, all_decided);
  const TableTrie* const trie = others_[graph_.steps()[step].hole.value];
  const bool is_asked = graph_.is_asked_by(step, end_ - 1);
  if (is_asked && all_decided && trie != nullptr) return passes_with_some(step, *trie);
  graph_.open(step);
  return passes_from(step + 1, all_decided && !is_asked);
}

bool StepTest::passes_with(std::size_t step, const HoleTable& table, bool all_decided) {
  ++visits_;
  graph_.decide(step, table);
  return graph_.stands(step, all_decided && is_known(step)) && (!all_decided || copied_.are_kept(graph_, step)) &&
         passes_from(step + 1, all_decided);
}

bool StepTest::passes_with_some(std::size_t step, const TableTrie& trie) {
  TableTrie::Range& range = ranges_[graph_.steps()[step].hole.value];
  const TableTrie::Range all = range;
  bool passes = false;
  for (std::uint64_t first = all.first; first < all.end && !passes; first = range.end) {
    range = trie.alike(first, depth_of_[step]);
    passes = passes_with(step, trie.table(range.first), true);
  }
  range = all;
  return passes;
}

}  // namespace swizzle
