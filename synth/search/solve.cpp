#include "synth/search/solve.h"

#include <algorithm>
#include <new>
#include <set>

#include "synth/search/dependent_steps.h"
#include "synth/search/search.h"
#include "synth/search/trial_search.h"

namespace swizzle {

Solution Search::run() {
  try {
    return to_its_end();
  } catch (const std::bad_alloc&) {
    out_of_memory_ = true;
    frontier_.clear();
    return conclude();
  }
}

Solution Search::to_its_end() {
  for (const HoleSpace& space : problem_.holes) solution_.raw_space += raw_space_log10(space);
  if (settled_by_trials()) return conclude();
  if (const auto conflict = add_equations(problem_, covering_equations(problem_), network_, options_.deadline))
    return infeasible(*conflict);
  std::set<std::pair<std::uint32_t, std::int64_t>> violations;
  for (std::size_t r = 0; r < problem_.requirements.size(); ++r) {
    if (out_of_time()) return conclude();
    const Value v = problem_.requirements[r].violation;
    if (truth(v) == true) return infeasible({SumConstraint::npos, r, {}, 0, 0, SumConstraint::npos, false, {}});
    if (truth(v) == false || !violations.emplace(v.aux, v.bits).second) continue;
    if (const auto conflict = add_requirement(problem_, r, network_)) return infeasible(*conflict);
  }
  propagator_.emplace(network_, problem_, domains_);
  propagator_->set_interrupt([this] { return soon_out_of_time(); });
  if (const auto conflict = propagator_->propagate()) return infeasible(*conflict);
  classes_.emplace(problem_, domains_, costs_, *shared_, options_.deadline);
  classes_->join(*propagator_, options_.deadline);
  if (const auto conflict = propagator_->propagate()) return infeasible(*conflict);
  if (const auto conflict = classes_->sharpen(*propagator_, options_.deadline)) return infeasible(*conflict);
  guarded_ = std::any_of(problem_.guarded.begin(), problem_.guarded.end(),
                         [&](const GuardedIssue& i) { return cost_of(i.counts, options_.issue_costs) > 0; });
  shares_ = shared_products(problem_, network_);
  propagator_->set_interrupt([this] { return over_budget() || soon_out_of_time(); });
  do {
    restart_ = false;
    set_aside();
    symmetries_ =
        options_.all > 0 ? std::vector<VariableSymmetry>() : find_symmetries(problem_, network_, costs_.issues());
    products_ = product_prices(problem_, network_, costs_.issues());
    best_ = std::min(options_.below, below_) - cost_of(problem_.counts, options_.issue_costs);
    deepen();
  } while (restart_);
  return conclude();
}

// Something fails whatever the holes are: what it is, is found elsewhere.
bool Search::is_hopeless() {
  return std::ranges::any_of(problem_.equations,
                             [&](const Equation& e) {
                               return !problem_.provenance.has_choice(e.actual) &&
                                      !e.holds(problem_.provenance.normalize(e.actual));
                             }) ||
         std::ranges::any_of(problem_.requirements, [](const Requirement& r) { return truth(r.violation) == true; });
}

bool Search::settled_by_trials() {
  if (std::ranges::any_of(problem_.holes, [](const HoleSpace& s) { return s.traits().is_expression(); })) return false;
  std::vector<std::size_t> equations = covering_equations(problem_);
  if (!has_dependent_steps(problem_, equations) && !has_more_ways_than_tables(problem_, equations)) return false;
  if (is_hopeless()) return false;
  TrialSearch::Result result;
  do {
    equations.insert(equations.end(), result.missed.begin(), result.missed.end());
    std::ranges::sort(equations);
    std::optional<TrialGraph> graph = TrialGraph::of(problem_, equations);
    if (!graph) return false;
    const Propagator nothing_known(network_, problem_, domains_);
    CostClasses classes(problem_, domains_, costs_, *shared_, options_.deadline);
    TrialSearch trials(problem_, equations, options_, costs_, classes, nothing_known, std::move(*graph));
    set_aside();
    result = trials.run();
    solution_.nodes += trials.nodes();
    found_ = std::move(result.completions);
  } while (!result.missed.empty());
  const bool is_enough = options_.all > 0 ? found_.size() >= options_.all : options_.first_only && !found_.empty();
  solution_.beyond_doubt = result.beyond_doubt;
  if (result.exhausted || is_enough) return true;
  if (options_.all == 0 && !found_.empty()) below_ = found_.front().cost.total;
  set_aside();
  return false;
}

Solution Search::infeasible(Conflict conflict) {
  if (conflict.interrupted && out_of_time()) return conclude();
  if (propagator_) propagator_->name_missing(conflict);
  solution_.outcome = Outcome::kInfeasible;
  solution_.reason = explain(conflict, problem_);
  return std::move(solution_);
}

void Search::set_aside() {
  std::move(found_.begin(), found_.end(), std::back_inserter(aside_));
  found_.clear();
}

void Search::take_back() {
  const auto tables_of = [](const Completion& c) {
    std::vector<std::vector<std::int16_t>> values;
    for (const HoleTable& table : c.tables) values.push_back(table.values);
    return values;
  };
  std::set<std::vector<std::vector<std::int16_t>>> known;
  for (const Completion& c : found_) known.insert(tables_of(c));
  for (Completion& c : aside_)
    if (known.insert(tables_of(c)).second) found_.push_back(std::move(c));
  aside_.clear();
}

std::optional<UnknownReason> Search::cut() const {
  if (out_of_memory_) return UnknownReason::kOutOfMemory;
  if (timed_out_) return UnknownReason::kTimeOfSearch;
  if (classes_ && classes_->truncated()) return UnknownReason::kTooManyTables;
  return least_unlisted_ < best_ - kCostTolerance ? std::optional(UnknownReason::kLargerExpressions) : std::nullopt;
}

Solution Search::conclude() {
  const auto ended_by = cut();
  if (ended_by || found_.empty()) take_back();
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Completion& a, const Completion& b) { return a.cost.total < b.cost.total; });
  const bool has_enough = options_.first_only || (options_.all > 0 && found_.size() >= options_.all);
  found_.resize(std::min(found_.size(), std::max<std::size_t>(1, options_.all)));
  solution_.exhausted = !ended_by && !has_enough;
  if (ended_by && (found_.empty() || !has_enough)) {
    solution_.unknown = *ended_by;
    solution_.reason = unknown_text(*ended_by);
  }
  solution_.completions = std::move(found_);
  if (!solution_.completions.empty()) {
    solution_.outcome = Outcome::kFound;
    solution_.optimality = options_.first_only || options_.all > 0 ? Optimality::kNotAsked
                           : ended_by                              ? Optimality::kBestFound
                                                                   : Optimality::kProved;
    return std::move(solution_);
  }
  if (ended_by) {
    solution_.outcome = Outcome::kUnknown;
    return std::move(solution_);
  }
  solution_.outcome = Outcome::kInfeasible;
  if (hopeless_) solution_.reason = explain(*hopeless_, problem_);
  else if (excluded_)
    solution_.reason =
        explain({SumConstraint::npos, 0, {}, 0, 0, SumConstraint::npos, false, HoleId(*excluded_)}, problem_);
  else if (deepest_) solution_.reason = explain(*deepest_, problem_);
  else solution_.reason = "every completion that fits each output alone fails on all of them together";
  return std::move(solution_);
}

Solution solve(Problem& problem, const SolveOptions& options) { return Search(problem, options).run(); }

}  // namespace swizzle
