#include "synth/search/trial_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "synth/base/hashes.h"
#include "synth/problem/stores.h"
#include "synth/search/readable_constants.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostComputed = 1'000'000'000;  // nodes of the graph
constexpr double kAtOnce = 16;                        // times what was gone through so far
constexpr std::size_t kMostRejected = 500, kMostStates = 4'000'000;
constexpr std::size_t kMissedAtOnce = 64, kFewRejected = 4;
constexpr double kManyBehind = 64;          // combinations
constexpr std::size_t kSoonFound = 20'000;  // nodes, among which an order of what is tried helps; to exhaust, none does

}  // namespace

TrialSearch::TrialSearch(Problem& problem, const std::vector<std::size_t>& equations, const SolveOptions& options,
                         const TableCosts& costs, CostClasses& classes, const Propagator& propagator, TrialGraph graph)
    : problem_(problem),
      equations_(equations),
      options_(options),
      costs_(costs),
      classes_(classes),
      propagator_(propagator),
      graph_(std::move(graph)),
      necessary_(problem, equations, costs.issues()),
      copied_(graph_),
      listed_(problem.holes.size()),
      ranges_(problem.holes.size()),
      least_(problem.holes.size(), 0),
      last_step_(problem.holes.size(), 0) {
  for (std::size_t s = 0; s < graph_.steps().size(); ++s) {
    const TrialStep& step = graph_.steps()[s];
    depth_of_.push_back(listed_[step.hole.value].steps.size());
    listed_[step.hole.value].steps.push_back(step.positions);
    last_step_[step.hole.value] = s;
  }
  std::vector<std::uint32_t> joint = costs.issues().joint_numbers(), necessary;
  for (std::size_t h = 0; h < listed_.size(); ++h) {
    if (!may_be_anything(h)) continue;
    std::ranges::copy(costs.issues().alone(h), std::back_inserter(joint));
    std::ranges::copy(necessary_.of(h), std::back_inserter(necessary));
  }
  joint_.emplace(problem, costs.issues(), graph_.steps(), joint, necessary);
  together_ = joint_->floor();
}

// What is issued is told by what is tried.
bool TrialSearch::tries_all_that_decides() const {
  for (std::size_t h = 0; h < listed_.size(); ++h)
    for (std::size_t asked : costs_.issues().asked(h)) {
      const auto asks = [&](const std::vector<std::size_t>& step) { return std::ranges::count(step, asked) > 0; };
      if (listed_[h].steps.empty() || (costs_.issues().has_joint() && std::ranges::none_of(listed_[h].steps, asks)))
        return false;
    }
  return true;
}

TrialSearch::Result TrialSearch::run() {
  if (!tries_all_that_decides()) return {};
  for (std::size_t h = 0; h < listed_.size(); ++h)
    if (!listed_[h].steps.empty() && !list(h, kInfinity) && !recognize(h)) {
      const bool is_whole = listed_[h].next == kInfinity && !classes_.truncated() && !options_.deadline.passed();
      result_.exhausted = is_whole && listed_[h].classes.empty();  // no table of it serves
      result_.beyond_doubt = result_.exhausted && graph_.is_faithful();
      return std::move(result_);
    }
  const double most =
      std::min(kDearest, options_.below - cost_of(problem_.counts, options_.issue_costs) - 2 * kCostTolerance);
  floor_ = bound();
  for (budget_ = floor_; budget_ < kInfinity && budget_ <= most; budget_ = next_budget(most)) {
    exceeded_ = kInfinity;
    if (!list_all()) return std::move(result_);
    unlisted_ = exceeded_;
    if (!has_new_ && budget_ < left_out_ - kCostTolerance) continue;  // the same as before
    list_tail();
    exceeded_ = kInfinity;
    failed_.clear();
    nodes_before_ = nodes_;
    const bool done = explore(0);
    left_out_ = std::min(exceeded_, tail_left_out_);
    if (gave_up_) return std::move(result_);
    if (done || (options_.all == 0 && !result_.completions.empty())) break;
    tried_ = budget_;
  }
  result_.exhausted = result_.completions.empty() ||
                      (!options_.first_only && (options_.all == 0 || result_.completions.size() < options_.all));
  result_.beyond_doubt = result_.exhausted && doubted_ == 0 && graph_.is_faithful();
  return std::move(result_);
}

// The least that was left out; or more, as long as the work grows slowly with what is spent. Of a list, the cheapest
// come first.
double TrialSearch::next_budget(double most) {
  const double least = floor_ = std::min(left_out_, unlisted_);
  if (options_.all > 0 || least > most) return least;
  if (unlisted_ == kInfinity && space() <= kAtOnce * static_cast<double>(nodes_)) return most;
  if (budget_ > tried_ + kCostTolerance) return std::min(std::max(least, budget_ + stride_), most);  // not yet explored
  const std::size_t work = nodes_ - nodes_before_;
  stride_ = work <= 2 * work_before_ ? std::max(2 * stride_, least - budget_) : stride_ / 2;
  work_before_ = work;
  return std::min(std::max(least, budget_ + stride_), most);
}

// How many nodes there are to go through, whatever they cost.
double TrialSearch::space() const {
  double before = 1, behind = tail_ ? 1 : 0;
  for (std::size_t h = 0; h < listed_.size(); ++h)
    if (!listed_[h].steps.empty() && recognized_ != h)
      (tail_ && last_step_[h] >= tail_->first() ? behind : before) *= listed_[h].trie->all().end;
  return before + behind;
}

double TrialSearch::bound() const { return std::accumulate(least_.begin(), least_.end(), together_); }

bool TrialSearch::is_over() {
  gave_up_ = gave_up_ || graph_.computed() > kMostComputed || nodes_ > options_.most_trial_nodes ||
             rejected_ > kMostRejected || failed_.size() > kMostStates ||
             (nodes_ % 256 == 0 && options_.deadline.passed());
  return gave_up_;
}

// True: no more is wanted.
bool TrialSearch::explore(std::size_t step) {
  if (step == graph_.steps().size()) return complete();
  if (tail_ && step == tail_->first()) return meet();
  if (recognized_ == graph_.steps()[step].hole.value) return try_recognized(step);
  const std::size_t hole = graph_.steps()[step].hole.value;
  const TableTrie& trie = *listed_[hole].trie;
  const TableTrie::Range range = ranges_[hole];
  const double least = least_[hole], others = bound() - least;
  bool done = false;
  if (listed_[hole].is_free && nodes_ - nodes_before_ < kSoonFound && behind(step) > kManyBehind) {
    for (const TableTrie::Range slice : most_elements_first(step))
      if (done = try_within(step, slice, others); done || gave_up_) break;
  } else {
    for (TableTrie::Range slice = range; slice.first < range.end && !done && !gave_up_; slice.first = slice.end) {
      slice = trie.alike(slice.first, depth_of_[step]);
      done = try_within(step, slice, others);
    }
  }
  ranges_[hole] = range;
  least_[hole] = least;
  return done;
}

// All cost the same. Where steps bring lanes together, those that bring most are most often right.
std::vector<TableTrie::Range> TrialSearch::most_elements_first(std::size_t step) {
  const std::size_t hole = graph_.steps()[step].hole.value;
  const TableTrie& trie = *listed_[hole].trie;
  std::vector<std::pair<int, TableTrie::Range>> slices;
  for (std::uint64_t first = ranges_[hole].first; first < ranges_[hole].end; first = slices.back().second.end) {
    graph_.decide(step, trie.table(first));
    slices.emplace_back(graph_.elements(step), trie.alike(first, depth_of_[step]));
  }
  std::ranges::stable_sort(slices, std::greater(), &std::pair<int, TableTrie::Range>::first);
  std::vector<TableTrie::Range> ordered;
  for (const auto& [elements, slice] : slices) ordered.push_back(slice);
  return ordered;
}

bool TrialSearch::try_within(std::size_t step, TableTrie::Range slice, double others) {
  const std::size_t hole = graph_.steps()[step].hole.value;
  ++nodes_;
  if (is_over()) return false;
  least_[hole] = listed_[hole].trie->least(slice.first, depth_of_[step]);
  if (others + least_[hole] <= budget_ + kCostTolerance) return try_slice(step, slice);
  exceeded_ = std::min(exceeded_, others + least_[hole]);
  return false;
}

bool TrialSearch::try_slice(std::size_t step, TableTrie::Range slice) {
  const double together = together_;
  ranges_[graph_.steps()[step].hole.value] = slice;
  together_ += joint_->decided_with(step, [this](PointId p) { return decided(p); });
  const double least = bound();
  const bool is_within = least <= budget_ + kCostTolerance;
  if (!is_within) exceeded_ = std::min(exceeded_, least);
  const bool done = is_within && go_on_behind(step, slice);
  together_ = together;
  return done;
}

// Of a point that the steps so far decide.
int TrialSearch::decided(PointId point) const {
  const std::size_t hole = problem_.points[point].hole.value;
  return listed_[hole].trie->table(ranges_[hole].first).values[costs_.issues().position(point)];
}

bool TrialSearch::go_on_behind(std::size_t step, TableTrie::Range slice) {
  const std::size_t hole = graph_.steps()[step].hole.value;
  graph_.decide(step, listed_[hole].trie->table(slice.first));
  if (tail_ && step + 1 == tail_->first() && !tail_->may_find(graph_)) return false;
  if (!graph_.stands(step, behind(step) > kManyBehind) || !copied_.are_kept(graph_, step)) return false;
  const std::optional<Key> key = key_of(step);
  const double left = budget_ - bound();
  if (key)
    if (const auto it = failed_.find(*key); it != failed_.end() && it->second >= left - kCostTolerance) return false;
  const std::size_t candidates = candidates_;
  if (explore(step + 1)) return true;
  if (key && !gave_up_ && candidates == candidates_) failed_[*key] = left;
  return false;
}

// How many combinations of tables are left for the later steps.
double TrialSearch::behind(std::size_t step) const {
  double behind = 1;
  for (std::size_t h = 0; h < ranges_.size(); ++h)
    if (recognized_ == h) behind *= kManyBehind;
    else if (!listed_[h].steps.empty() && last_step_[h] > step) behind *= ranges_[h].end - ranges_[h].first;
  return behind;
}

// Nothing, where what comes behind is sooner done again than remembered.
std::optional<TrialSearch::Key> TrialSearch::key_of(std::size_t step) {
  constexpr double kFew = 16;
  if (step + 1 >= (tail_ ? tail_->first() : graph_.steps().size()) || graph_.steps()[step].is_part) return std::nullopt;
  if (behind(step) <= kFew) return std::nullopt;
  Key key{graph_.state(step), step};
  for (std::size_t h = 0; h < ranges_.size(); ++h)  // what is left of a free hole is the same behind all prefixes
    if (!listed_[h].steps.empty() && last_step_[h] > step && recognized_ != h && !listed_[h].is_free)
      key.state[1] = hash_of(key.state[1], std::array{ranges_[h].first, ranges_[h].end});
  for (PointId p : joint_->pending(step)) key.state[1] = hash_of(key.state[1], std::array{decided(p)});
  return key;
}

bool TrialSearch::complete() {
  ++candidates_;
  Assignment assignment(problem_.points.size(), 0);
  std::vector<HoleTable> tables(problem_.holes.size());
  for (std::size_t h = 0; h < listed_.size(); ++h) {
    if (listed_[h].steps.empty()) continue;
    tables[h] = recognized_ == h ? recognized_table_ : listed_[h].trie->table(ranges_[h].first);
    if (listed_[h].is_free) tables[h] = constant_table(problem_.holes[h], std::move(tables[h].values));
    for (std::size_t i = 0; i < tables[h].values.size(); ++i)
      assignment[problem_.holes[h].points[i].value] = tables[h].values[i];
  }
  const Cost total = costs_.total(tables);
  double cost = total.total - cost_of(problem_.counts, options_.issue_costs);
  for (std::size_t h = 0; h < tables.size() && options_.price_beyond; ++h)
    if (!listed_[h].steps.empty()) cost += options_.price_beyond(h, tables[h]);
  if (cost <= tried_ + kCostTolerance) return false;  // with the budget before
  if (cost > budget_ + kCostTolerance) {              // for what several holes decide about
    exceeded_ = std::min(exceeded_, cost);
    return false;
  }
  if (is_refuted(tables)) return false;
  if (!holds(assignment)) {
    ++rejected_;
    if (!is_refuted(tables)) ++doubted_;
    return false;
  }
  if (options_.all == 0 && !options_.price_beyond)
    prefer_arguments(problem_, costs_, tables, assignment, [&](const Assignment& a) { return holds(a, false); });
  keep({std::move(tables), total, {}});
  budget_ = options_.all == 0 ? cost - 2 * kCostTolerance : budget_;
  if (options_.all > 0) return result_.completions.size() >= options_.all;
  return options_.first_only || cost <= floor_ + kCostTolerance;
}

void TrialSearch::keep(Completion completion) {
  if (options_.all == 0) result_.completions.clear();
  result_.completions.push_back(std::move(completion));
  if (options_.when_found) options_.when_found();
}

bool TrialSearch::holds(std::size_t equation, const Assignment& assignment, DecidedValues& known) {
  const Equation& e = problem_.equations[equation];
  return e.holds(problem_.provenance.normalize(problem_.provenance.resolve_known(e.actual, assignment, known)));
}

// Of what a tail demands alike, one was kept: by other equations, another one may have been right. And where a few
// candidates fail on outputs that were not among those given, these refute others sooner.
void TrialSearch::miss(const Assignment& assignment, DecidedValues& known) {
  for (std::size_t e = 0; e < problem_.equations.size() && result_.missed.size() < kMissedAtOnce; ++e)
    if (!std::ranges::binary_search(equations_, e) && !holds(e, assignment, known)) result_.missed.push_back(e);
  gave_up_ = !result_.missed.empty();
}

bool TrialSearch::holds(const Assignment& assignment, bool tells_misses) {
  Provenance& provenance = problem_.provenance;
  DecidedValues known;  // steps are shared by all that builds on them
  for (std::size_t e = 0; e < problem_.equations.size(); ++e) {
    if (holds(e, assignment, known)) continue;
    if (tells_misses && ((tail_ && options_.all == 0) || rejected_ >= kFewRejected)) miss(assignment, known);
    return false;
  }
  for (const Requirement& r : problem_.requirements)
    if (truth(provenance.resolve_known(r.violation, assignment, known)) != false) return false;
  return stores_agree(problem_, assignment);
}

}  // namespace swizzle
