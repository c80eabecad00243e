// The tables that a TrialSearch tries.
#include <algorithm>
#include <cmath>
#include <utility>

#include "synth/search/trial_search.h"
#include "synth/trials/step_test.h"

namespace swizzle {
namespace {

constexpr double kSmallLog10 = 4;  // settings of a hole that are soon listed, once kFewNodes are gone through
constexpr std::size_t kFewNodes = 20'000;
constexpr std::size_t kFewVisits = 100'000, kMostVisits = 1'500'000;  // of steps, to look for those
constexpr std::size_t kVisitsOfANode = 16;                            // that was gone through so far

}  // namespace

// Lists what costs no more than the budget; the first class, in any case.
bool TrialSearch::list(std::size_t hole, double budget) {
  Listed& listed = listed_[hole];
  if (listed.is_free || may_be_anything(hole)) {
    listed.is_free = true;
    listed.next = kInfinity;
    listed.cheapest = least_[hole] = 0;
    return true;
  }
  const double least_active = std::min(necessary_.cost(hole), costs_.issues().least_of_active(hole));
  const double more = necessary_.cost(hole) - least_active;  // than a class counts
  while (least_unlisted(hole) <= budget + kCostTolerance && listed.next < kInfinity) {
    std::size_t tables = listed.lossy;
    for (const auto& c : listed.classes) tables += c->tables.size();
    if (tables > options_.many_trial_tables && !listed.is_tested) {
      // What tables cost beyond their operations comes late in a list by operations.
      const bool are_too_many = raw_space_log10(problem_.holes[hole]) > std::log10(options_.most_trial_tables);
      if (options_.price_beyond && are_too_many && may_be_recognized(hole)) return false;
      if (list_passing(hole, true)) return true;
      continue;
    }
    auto next = std::make_shared<CostClass>(
        classes_.next(hole, listed.next, budget - more, options_.most_trial_tables, propagator_));
    if (next->many || tables + next->tables.size() > options_.most_trial_tables) return list_passing(hole, false);
    if (next->beyond || next->rank == kInfinity) {
      listed.next = next->rank;
      break;
    }
    listed.next = next->forced ? kInfinity : costs_.above(hole, next->rank);
    std::erase_if(next->tables, [&](const HoleTable& t) { return !necessary_.are_issued(hole, t); });
    drop_lossy(hole, *next);
    drop_refuted(hole, *next);
    if (next->tables.empty()) continue;
    for (const HoleTable& t : next->tables) listed.cheapest = std::min(listed.cheapest, price(hole, t));
    listed.classes.push_back(std::move(next));
    listed.is_stale = true;
    if (budget == kInfinity) break;
  }
  if (listed.classes.empty()) return false;
  least_[hole] = std::min(listed.cheapest, least_unlisted(hole));
  return true;
}

bool TrialSearch::may_be_anything(std::size_t hole) const {
  const HoleSpace& space = problem_.holes[hole];
  const auto is_tried = [&](std::size_t asked) {
    return std::ranges::any_of(listed_[hole].steps, [&](const std::vector<std::size_t>& step) {
      return std::ranges::find(step, asked) != step.end();
    });
  };
  return space.traits().grammar == HoleGrammar::kConstants &&
         std::ranges::all_of(costs_.issues().asked(hole), is_tried) &&
         TableTrie::fits(space.points.size(), space.domain);
}

// The tables of small holes other than this one, by hole; null: they are not all listed.
std::vector<const TableTrie*> TrialSearch::list_others(std::size_t hole) {
  const auto is_small = [&](std::size_t h) {
    return h != hole && recognized_ != h && !listed_[h].steps.empty() &&
           raw_space_log10(problem_.holes[h]) < kSmallLog10;
  };
  if (!std::exchange(lists_others_, true)) {  // none of them asks for others in turn
    for (std::size_t h = 0; h < listed_.size(); ++h)
      if (is_small(h)) list(h, kDearest);
    lists_others_ = false;
  }
  std::vector<const TableTrie*> others(listed_.size(), nullptr);
  for (std::size_t h = 0; h < listed_.size(); ++h) {
    if (!is_small(h) || listed_[h].next < kInfinity) continue;
    if (listed_[h].is_stale) {
      has_new_ = true;
      rebuild(h);
    }
    others[h] = listed_[h].trie.get();
  }
  return others;
}

// Of a hole with many tables, those that its own steps do not refute, with some of each small hole that comes before.
bool TrialSearch::list_passing(std::size_t hole, bool are_to_be_few) {
  Listed& listed = listed_[hole];
  listed.is_tested = true;
  std::vector<const TableTrie*> others = list_others(hole);
  open_all();
  const std::size_t most_visits = std::clamp(kVisitsOfANode * nodes_, kFewVisits, kMostVisits);
  StepTest test(graph_, copied_, std::move(others), HoleId(hole), problem_.holes[hole].points.size(),
                {most_visits, are_to_be_few, options_.deadline});
  std::optional<CostClass> left = classes_.passing(hole, test, options_.most_trial_tables);
  if (!left) left = passing_at_first(hole, test);
  if (!left || test.is_over()) return false;
  std::erase_if(left->tables, [&](const HoleTable& t) { return !necessary_.are_issued(hole, t); });
  listed.next = kInfinity;
  listed.cheapest = kInfinity;
  for (const HoleTable& t : left->tables) listed.cheapest = std::min(listed.cheapest, price(hole, t));
  listed.classes = {std::make_shared<CostClass>(std::move(*left))};
  listed.is_stale = true;
  least_[hole] = listed.cheapest;
  return true;
}

// Of a grammar that lists its tables as a whole, those that the first of its steps does not refute.
std::optional<CostClass> TrialSearch::passing_at_first(std::size_t hole, StepTest& test) const {
  if (raw_space_log10(problem_.holes[hole]) > std::log10(options_.most_trial_tables)) return std::nullopt;
  auto tables = classes_.fitting(hole, Domains(problem_.points), options_.most_trial_tables);
  if (!tables) return std::nullopt;
  const std::vector<std::size_t>& first = listed_[hole].steps[0];
  std::vector<std::int16_t> values;
  std::erase_if(*tables, [&](const HoleTable& table) {
    values.clear();
    for (std::size_t position : first) values.push_back(table.values[position]);
    return !test.passes(first, values);
  });
  return CostClass{.tables = std::move(*tables), .forced = true};
}

double TrialSearch::price(std::size_t hole, const HoleTable& table) const {
  return costs_.price(hole, table) + (options_.price_beyond ? options_.price_beyond(hole, table) : 0);
}

double TrialSearch::least_price(std::size_t hole, double rank) const {
  if (rank == kInfinity) return rank;
  const double expression = std::max(0.0, rank - costs_.issues().all(hole));
  return std::max(costs_.least_price(hole, rank), expression + necessary_.cost(hole));
}

void TrialSearch::open_all() {
  for (std::size_t s = 0; s < graph_.steps().size(); ++s) graph_.open(s);
}

// All steps of one hole.
void TrialSearch::decide_all(std::size_t hole, const HoleTable& table) {
  for (std::size_t s = 0; s < graph_.steps().size(); ++s)
    if (graph_.steps()[s].hole.value == hole) graph_.decide(s, table);
}

// Tables that leave too few of the values that outputs want, or of which none of them comes.
void TrialSearch::drop_lossy(std::size_t hole, CostClass& from) {
  const std::size_t last = last_step_[hole];
  const bool computes = copied_.computes(last);
  if (!computes && !copied_.are_soon_counted(graph_, last)) return;
  open_all();
  listed_[hole].lossy += std::erase_if(from.tables, [&](const HoleTable& table) {
    decide_all(hole, table);
    return computes ? !copied_.may_come(graph_, graph_.steps().size()) : !copied_.may_be_kept(graph_, last);
  });
  open_all();
}

// Tables that fail whatever the other holes are. Where none of the first does, the others are not asked; of many, it is
// only asked whether two outputs would be one, which those are that cost least by their operations.
void TrialSearch::drop_refuted(std::size_t hole, CostClass& from) {
  constexpr std::size_t kMany = 256, kSome = 32;
  const bool are_many = from.tables.size() > kMany;
  if (are_many && !options_.price_beyond) return;
  open_all();
  const auto is_refuted = [&](const HoleTable& table) {
    decide_all(hole, table);
    if (options_.price_beyond && !graph_.keeps_outputs_apart()) return true;
    for (std::size_t s = 0; s < graph_.steps().size() && !are_many; ++s)
      if (!graph_.stands(s, s == last_step_[hole])) return true;
    return false;
  };
  const auto some = from.tables.begin() + static_cast<std::ptrdiff_t>(std::min(kSome, from.tables.size()));
  if (std::any_of(from.tables.begin(), some, is_refuted)) std::erase_if(from.tables, is_refuted);
  open_all();
}

bool TrialSearch::list_all() {
  has_new_ = false;
  for (std::size_t h = 0; h < listed_.size(); ++h)
    if (!listed_[h].steps.empty() && recognized_ != h) least_[h] = std::min(listed_[h].cheapest, least_unlisted(h));
  const double all = bound();
  for (std::size_t h = 0; h < listed_.size(); ++h) {
    if (listed_[h].steps.empty()) continue;
    const bool is_small = nodes_ > kFewNodes && raw_space_log10(problem_.holes[h]) < kSmallLog10;
    if (recognized_ == h) continue;
    if (list(h, is_small ? kDearest : budget_ - (all - least_[h]))) continue;
    if (!recognize(h)) return false;
    has_new_ = true;
  }
  for (std::size_t h = 0; h < listed_.size(); ++h) {  // some were listed with others
    if (listed_[h].steps.empty() || recognized_ == h) continue;
    has_new_ = has_new_ || listed_[h].is_stale;
    exceeded_ = std::min(exceeded_, least_unlisted(h) + (all - least_[h]));
    if (listed_[h].is_stale) rebuild(h);
    ranges_[h] = listed_[h].trie->all();
  }
  return true;
}

void TrialSearch::rebuild(std::size_t hole) {
  Listed& listed = listed_[hole];
  listed.is_stale = false;
  if (listed.is_free) {
    listed.trie = std::make_unique<TableTrie>(problem_.holes[hole].domain, 0.0, listed.steps);
    return;
  }
  std::vector<const HoleTable*> tables;
  std::vector<double> costs;
  for (const auto& c : listed.classes)
    for (const HoleTable& t : c->tables) {
      tables.push_back(&t);
      costs.push_back(price(hole, t));
    }
  listed.trie = std::make_unique<TableTrie>(tables, costs, listed.steps);
}

}  // namespace swizzle
