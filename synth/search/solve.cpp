#include "synth/search/solve.h"

#include <algorithm>
#include <new>
#include <set>

#include "synth/bounds/branch_prices.h"
#include "synth/search/dependent_steps.h"
#include "synth/search/search.h"
#include "synth/search/trial_search.h"

namespace swizzle {
namespace {

// Something fails whatever the holes are: what it is, is found elsewhere.
bool is_hopeless(Problem& problem) {
  return std::ranges::any_of(problem.equations,
                             [&](const Equation& e) {
                               return !problem.provenance.has_choice(e.actual) &&
                                      !e.holds(problem.provenance.normalize(e.actual));
                             }) ||
         std::ranges::any_of(problem.requirements, [](const Requirement& r) { return truth(r.violation) == true; });
}

// One output may ask all constants there are, and leave what goes wrong elsewhere to the others.
void add_outputs_of_constants(const Problem& problem, std::vector<std::size_t>& equations) {
  constexpr std::size_t kMany = 64;
  const auto is_constant = [](const HoleSpace& s) { return s.traits().grammar == HoleGrammar::kConstants; };
  if (!std::ranges::all_of(problem.holes, is_constant)) return;
  const auto given = static_cast<std::ptrdiff_t>(equations.size());
  for (std::size_t e = 0; e < problem.equations.size() && e < kMany; ++e)
    if (!std::binary_search(equations.begin(), equations.begin() + given, e)) equations.push_back(e);
  std::ranges::sort(equations);
}

}  // namespace

Solution Search::run() {
  try {
    return to_its_end();
  } catch (const std::bad_alloc&) {
    findings_.out_of_memory = true;
    frontier_.clear();
    return conclude();
  }
}

Solution Search::to_its_end() {
  for (const HoleSpace& space : problem_.holes) findings_.so_far.raw_space += raw_space_log10(space);
  if (settled_by_trials()) return conclude();
  if (options_.on_doubles) {
    findings_.timed_out = true;
    return conclude();
  }
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
  costs_.expect_issued(branch_prices(problem_, network_, costs_.issues()));
  node_.emplace(problem_, network_, domains_, *propagator_, costs_, *classes_, options_.issue_costs);
  propagator_->set_interrupt([this] { return over_budget() || soon_out_of_time(); });
  do {
    restart_ = false;
    findings_.set_aside();
    symmetries_ =
        options_.all > 0 ? std::vector<VariableSymmetry>() : find_symmetries(problem_, network_, costs_.issues());
    node_->find_product_prices();
    best_ = std::min(options_.below, below_) - cost_of(problem_.counts, options_.issue_costs);
    deepen();
  } while (restart_);
  return conclude();
}

bool Search::settled_by_trials() {
  if (std::ranges::any_of(problem_.holes, [](const HoleSpace& s) { return s.traits().is_expression(); })) return false;
  std::vector<std::size_t> equations = covering_equations(problem_);
  if (!options_.by_trials && !options_.on_doubles && !has_dependent_steps(problem_, equations) &&
      !has_more_ways_than_tables(problem_, equations))
    return false;
  if (options_.most_trial_nodes == 0 || is_hopeless(problem_)) return false;
  add_outputs_of_constants(problem_, equations);
  TrialSearch::Result result;
  do {
    equations.insert(equations.end(), result.missed.begin(), result.missed.end());
    std::ranges::sort(equations);
    std::optional<TrialGraph> graph;
    if (!options_.on_doubles) graph = TrialGraph::of(problem_, equations);
    if (!graph) graph = TrialGraph::of(problem_, equations, 0, TrialArithmetic::kDoubles);  // which holds more digits
    if (!graph) return false;
    const Propagator nothing_known(network_, problem_, domains_);
    CostClasses classes(problem_, domains_, costs_, *shared_, options_.deadline);
    TrialSearch trials(problem_, equations, options_, costs_, classes, nothing_known, std::move(*graph));
    findings_.set_aside();
    result = trials.run();
    findings_.so_far.nodes += trials.nodes();
    findings_.found = std::move(result.completions);
  } while (!result.missed.empty());
  const bool is_enough =
      options_.all > 0 ? findings_.found.size() >= options_.all : options_.first_only && !findings_.found.empty();
  findings_.so_far.beyond_doubt = result.beyond_doubt;
  findings_.so_far.is_least_with_beyond = result.exhausted && options_.all == 0 && options_.price_beyond != nullptr;
  if (result.exhausted || is_enough) return true;
  if (options_.all == 0 && !findings_.found.empty()) below_ = findings_.found.front().cost.total;
  findings_.set_aside();
  return false;
}

Solution Search::infeasible(Conflict conflict) {
  if (conflict.interrupted && out_of_time()) return conclude();
  if (propagator_) propagator_->name_missing(conflict);
  return findings_.infeasible(problem_, conflict);
}

Solution Search::conclude() {
  findings_.too_many_tables = classes_ ? classes_->truncated() : std::nullopt;
  Solution solution = findings_.conclude(problem_, options_, best_);
  const auto is_listed = [](const HoleSpace& s) { return !s.traits().is_expression(); };
  if (node_ && solution.optimality == Optimality::kBestFound && std::ranges::all_of(problem_.holes, is_listed)) {
    const bool is_gone_through = budget_ < kInfinity && !findings_.too_many_tables;  // what costs less than the budget
    solution.at_least = cost_of(problem_.counts, options_.issue_costs) + (is_gone_through ? budget_ : root_bound_);
  }
  if (solution.outcome == Outcome::kUnknown && node_ && !findings_.out_of_memory)
    solution.left = std::make_shared<const Domains>(domains_);
  return solution;
}

Assignment assignment_of(const Problem& problem, const std::vector<HoleTable>& tables) {
  Assignment assignment(problem.points.size(), 0);
  for (std::size_t h = 0; h < problem.holes.size() && h < tables.size(); ++h)
    for (std::size_t i = 0; i < problem.holes[h].points.size(); ++i)
      assignment[problem.holes[h].points[i].value] = tables[h].values[i];
  return assignment;
}

Solution solve(Problem& problem, const SolveOptions& options) { return Search(problem, options).run(); }

}  // namespace swizzle
