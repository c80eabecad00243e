#include "synth/synthesis/weakened_search.h"

#include "synth/problem/stores.h"
#include "synth/provenance/fractions.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostDoubted = 512;  // completions of the weakened problem that are looked at
constexpr std::size_t kMostTrialNodes = 100'000'000;
constexpr std::size_t kMostCandidates = 64;  // completions of the weakened problem that may be ones of the problem

}  // namespace

std::optional<Solution> solve_on_doubles(Problem& problem, double below, const SolveOptions& options, double seconds) {
  SolveOptions trials;
  trials.on_doubles = true;
  trials.most_trial_nodes = kMostTrialNodes;
  trials.below = below;
  trials.issue_costs = options.issue_costs;
  trials.deadline = options.deadline.within(seconds);
  Solution solution = solve(problem, trials);
  return solution.exhausted && solution.beyond_doubt ? std::optional(std::move(solution)) : std::nullopt;
}

WeakenedSearch::Examined WeakenedSearch::examine(double below, const SolveOptions& options, const IsKnown& is_known) {
  if (auto tried = solve_on_doubles(problem_, below, options))
    return {true, tried->completions.empty() ? std::nullopt : std::optional(std::move(tried->completions.front()))};
  const Solution rest = weakened_completions(below, kMostDoubted, kRefutationSeconds, options);
  if (rest.outcome == Outcome::kInfeasible) return {true, std::nullopt};
  if (rest.outcome != Outcome::kFound) return {};
  bool are_refuted = rest.exhausted;
  for (const Completion& c : rest.completions) {
    if (is_known(c)) continue;
    const Assignment assignment = assignment_of(problem_, c.tables);
    if (holds_by_form(assignment)) return {are_refuted, c};
    are_refuted = are_refuted && is_refuted(problem_, doubts_, assignment);
  }
  return {are_refuted, std::nullopt};
}

WeakenedSearch::Listed WeakenedSearch::list(const SolveOptions& options, double seconds) {
  const Solution some = weakened_completions(options.below, kMostDoubted, seconds, options);
  Listed listed{some.outcome == Outcome::kInfeasible || some.exhausted, {}};
  for (const Completion& c : some.completions) {
    const Assignment assignment = assignment_of(problem_, c.tables);
    if (holds_by_form(assignment)) listed.completions.push_back(c);
    else listed.is_settled = listed.is_settled && is_refuted(problem_, doubts_, assignment);
  }
  return listed;
}

bool WeakenedSearch::holds(const Completion& completion) {
  return holds_by_form(assignment_of(problem_, completion.tables));
}

WeakenedSearch::Examined WeakenedSearch::candidate(const SolveOptions& options, double seconds) {
  const Solution some = weakened_completions(options.below, kMostCandidates, seconds, options);
  for (const Completion& c : some.completions) {
    if (!holds(c)) continue;
    if (options.first_only) return {false, c};
    Examined less = examine(c.cost.total, options, [](const Completion&) { return false; });
    if (!less.completion) less.completion = c;
    return less;
  }
  return {};
}

Solution WeakenedSearch::weakened_completions(double below, std::size_t most, double seconds,
                                              const SolveOptions& options) const {
  SolveOptions all;
  all.all = most;
  all.deadline = options.deadline.within(seconds);
  std::optional<Problem> weak = weakened(problem_, doubts_, all.deadline);
  if (!weak) return {};
  all.issue_costs = options.issue_costs;
  all.below = below;
  return solve(*weak, all);
}

bool WeakenedSearch::holds_by_form(const Assignment& assignment) {
  PointId blocked;
  Provenance& provenance = problem_.provenance;
  Fractions fractions(provenance);
  for (std::size_t e : doubts_.equations) {
    const Equation& equation = problem_.equations[e];
    const Value actual = provenance.normalize(provenance.resolve(equation.actual, assignment, blocked));
    if (!equation.holds(actual) && !orders_.are_alike(provenance, actual, equation.expected) &&
        !fractions.are_alike(actual, equation.expected))
      return false;
  }
  for (std::size_t r : doubts_.requirements)
    if (truth(provenance.resolve(problem_.requirements[r].violation, assignment, blocked)) != false) return false;
  return stores_agree(problem_, assignment);
}

}  // namespace swizzle
