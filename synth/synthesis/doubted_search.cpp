#include "synth/synthesis/doubted_search.h"

#include <algorithm>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "synth/bits/word_tables.h"
#include "synth/network/independent_terms.h"
#include "synth/problem/doubts.h"
#include "synth/problem/functions_as_elements.h"
#include "synth/problem/opaque_words.h"
#include "synth/synthesis/hand_over.h"
#include "synth/synthesis/narrow_outputs.h"
#include "synth/synthesis/placed_search.h"
#include "synth/synthesis/smaller_grammars.h"
#include "synth/synthesis/weakened_search.h"

namespace swizzle {
namespace {

constexpr double kRankSeconds = 5;
// Seconds of a search by form, before doubles and the weakened problem are asked, and of these; then the former begins
// again, for longer.
struct Turn {
  double by_form, on_doubles, weakened;
};
constexpr double kPreparedNodes = 500'000;  // a second, before the search by form begins
constexpr Turn kTurns[] = {{1.2, 1.4, 1.4}, {5.6, kTrialSeconds, 6}};
// Seconds of a search, before the smaller grammars of its expressions are asked, and of each of these.
struct ExpressionTurn {
  double by_expressions, by_smaller;
};
constexpr ExpressionTurn kExpressionTurns[] = {{0.15, 0.3}, {1.5, 6}};

bool are_told_by_terms(Problem& problem, const Doubts& doubts, const SolveOptions& options) {
  return doubts.requirements.empty() && doubts.stores.empty() && !doubts.are_of_elements &&
         have_independent_terms(problem, doubts.equations, options.deadline.within(kRankSeconds));
}

bool are_alike(const Completion& a, const Completion& b) {
  return std::ranges::equal(a.tables, b.tables,
                            [](const HoleTable& x, const HoleTable& y) { return x.values == y.values; });
}

void take(Solution& solution, Completion completion, const SolveOptions& options) {
  solution.outcome = Outcome::kFound;
  solution.reason.clear();
  solution.completions = {std::move(completion)};
  solution.optimality = options.first_only ? Optimality::kNotAsked : Optimality::kProved;
}

// Lists these as well, as many as are asked for.
void add(Solution& solution, std::vector<Completion> completions, const SolveOptions& options) {
  const bool was_found = solution.outcome == Outcome::kFound;
  for (Completion& c : completions)
    if (std::ranges::none_of(solution.completions, [&](const Completion& known) { return are_alike(known, c); }))
      solution.completions.push_back(std::move(c));
  if (solution.completions.empty()) return;
  std::ranges::stable_sort(solution.completions, {}, [](const Completion& c) { return c.cost.total; });
  if (solution.completions.size() > options.all) solution.completions.resize(options.all);
  solution.outcome = Outcome::kFound;
  solution.optimality = Optimality::kNotAsked;
  if (!was_found) solution.reason.clear();
}

// Whether an input refutes all that cost less, or one of them is a completion by form, which is then the solution if it
// `is_plain`, without a placement.
bool settle(Solution& solution, WeakenedSearch& search, double below, const SolveOptions& options, bool is_plain) {
  auto examined = search.examine(below, options, [&](const Completion& c) {
    return std::ranges::any_of(solution.completions, [&](const Completion& known) { return are_alike(known, c); });
  });
  const bool is_settled = examined.is_settled && (is_plain || !examined.completion);
  if (examined.completion && is_plain) take(solution, *std::move(examined.completion), options);
  return is_settled;
}

// Whether an input refutes all but completions by form, the best of which is then the solution. By form they may be
// only once the choices are made: min(x, max(choice, x)) is x whatever is chosen.
bool settle_placed(Solution& solution, WeakenedSearch& search, const Program& sketch, Problem& problem,
                   const SolveOptions& options) {
  SolveOptions any = options;
  any.below = std::numeric_limits<double>::infinity();
  auto listed = search.list(any);
  if (!listed.is_settled) return false;
  auto best = best_placed(sketch, problem, std::move(listed.completions), options);
  if (!best) return false;
  if (is_better(*best, solution.completions[0], !sketch.layouts.empty())) take(solution, *std::move(best), options);
  return true;
}

// What the search concludes may be otherwise: a completion by form that it does not know takes the place of the one
// that it has. `because`: why there may be another one; nothing: the solution stands.
std::optional<std::string> doubt_about(Solution& solution, const Program& sketch, const Program& spec, Problem& problem,
                                       const SolveOptions& options) {
  try {
    const Doubts doubts = doubts_of(problem, options.deadline);
    if (!doubts.any() || are_told_by_terms(problem, doubts, options)) return std::nullopt;
    const bool is_found = solution.outcome == Outcome::kFound;
    const bool is_bounded = is_found && options.all == 0 && !solution.completions[0].placement;
    const double below = is_bounded ? solution.completions[0].cost.total
                         : is_found ? std::numeric_limits<double>::infinity()
                                    : options.below;
    if (options.all > 0 && !is_placed(sketch, problem) && !has_open_words(sketch, problem)) {
      auto listed = WeakenedSearch(problem, doubts).list(options);
      add(solution, std::move(listed.completions), options);
      solution.exhausted = listed.is_settled && solution.completions.size() < options.all;
      if (listed.is_settled) return std::nullopt;
    } else if (!has_open_words(sketch, problem)) {
      WeakenedSearch search(problem, doubts);
      const bool takes_best = is_found && options.all == 0 && is_placed(sketch, problem);
      if (takes_best ? settle_placed(solution, search, sketch, problem, options)
                     : settle(solution, search, below, options, options.all == 0 && !is_placed(sketch, problem)))
        return std::nullopt;
    }
    return told(*doubts.because, sketch, spec);
  } catch (const std::bad_alloc&) {
    return unknown_text(UnknownReason::kOutOfMemory);
  }
}

// Of expressions that were tried by form alone, some may do otherwise. Nothing: they do not.
std::optional<std::string> doubt_about_forms(const Program& sketch, const Program& spec, Problem& problem,
                                             const SolveOptions& options) {
  try {
    const Doubts doubts = doubts_of(problem, options.deadline);
    if (!doubts.any() || are_told_by_terms(problem, doubts, options)) return std::nullopt;
    return "no completion is known among the smaller expressions, and not all of them are excluded: " +
           told(*doubts.because, sketch, spec);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

bool may_be_doubted(const Problem& problem) {
  std::vector<Value> values;
  for (const Equation& e : problem.equations) values.insert(values.end(), {e.actual, e.expected});
  return !lawless(problem.provenance, values).empty();
}

// What must reach the outputs may tell the completion where forms take the search long. Nothing: it does not.
std::optional<Solution> solve_weakened(const Program& sketch, const Program& spec, Problem& problem,
                                       const SolveOptions& options, double seconds) {
  try {
    const Doubts doubts = doubts_of(problem, options.deadline);
    if (!doubts.any() || has_open_words(sketch, problem)) return std::nullopt;
    auto candidate = WeakenedSearch(problem, doubts).candidate(options, seconds);
    if (!candidate.completion) return std::nullopt;
    Solution solution;
    take(solution, *std::move(candidate.completion), options);
    solution.beyond_doubt = true;
    if (candidate.is_settled || options.first_only) return solution;
    solution.optimality = Optimality::kBestFound;
    solution.reason = told(*doubts.because, sketch, spec);
    return solution;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

// Likewise all of them. By form again, for half of the time at least, unless an input refutes whatever is not listed.
Solution list_placed_or_weakened(const Program& sketch, const Program& spec, Problem& problem,
                                 const SolveOptions& options, const Solution& soon) {
  WeakenedSearch::Listed listed;
  std::string why;
  try {
    const Doubts doubts = doubts_of(problem, options.deadline);
    if (doubts.any() && !has_open_words(sketch, problem)) {
      why = told(*doubts.because, sketch, spec);
      listed = WeakenedSearch(problem, doubts).list(options, std::min(kRefutationSeconds, options.deadline.left() / 2));
    }
  } catch (const std::bad_alloc&) {
    listed = {};
  }
  const bool is_whole = listed.is_settled && !listed.completions.empty();
  Solution solution = is_whole ? soon : solve_placed(sketch, problem, options);
  if (soon.outcome == Outcome::kFound && solution.outcome != Outcome::kFound) solution = soon;
  if (is_whole) solution.reason.clear();
  if (listed.completions.empty()) return solution;
  const bool is_more = solution.outcome != Outcome::kFound;
  add(solution, std::move(listed.completions), options);
  solution.exhausted = is_whole && solution.completions.size() < options.all;
  solution.beyond_doubt = is_whole;
  if (is_more && !is_whole) solution.reason = why;
  return solution;
}

// By form for a short time, by the weakened problem, and by form again: which of them tells sooner is not known.
Solution solve_placed_or_weakened(const Program& sketch, const Program& spec, Problem& problem,
                                  const SolveOptions& options) {
  if (is_placed(sketch, problem) || !may_be_doubted(problem)) return solve_placed(sketch, problem, options);
  const double prepares = static_cast<double>(problem.provenance.size()) / kPreparedNodes;
  std::optional<Solution> known;  // by form, of the last turn
  for (const Turn& turn : kTurns) {
    SolveOptions soon = options;
    soon.deadline = options.deadline.within(turn.by_form + prepares);
    Solution solution = solve_placed(sketch, problem, soon);
    const bool is_over = solution.outcome == Outcome::kInfeasible || solution.optimality == Optimality::kProved ||
                         solution.exhausted || !soon.deadline.passed() || options.deadline.passed();
    if (is_over || (solution.outcome == Outcome::kFound && options.first_only)) return solution;
    if (options.all > 0) return list_placed_or_weakened(sketch, spec, problem, options, solution);
    auto other = options.first_only ? std::nullopt : solve_on_doubles(problem, options.below, options, turn.on_doubles);
    if (!other) other = solve_weakened(sketch, spec, problem, options, turn.weakened);
    const bool is_found = solution.outcome == Outcome::kFound;
    if (other) {
      other->raw_space = solution.raw_space;
      other->nodes = solution.nodes;
      if (is_found && !other->completions.empty() &&
          solution.completions[0].cost.total < other->completions[0].cost.total)
        std::swap(other->completions, solution.completions);
      return *std::move(other);
    }
    if (is_found) known = std::move(solution);
  }
  Solution solution = solve_placed(sketch, problem, options);
  return known && solution.outcome == Outcome::kUnknown ? *std::move(known) : solution;
}

bool has_expressions(const Problem& problem) {
  return std::ranges::any_of(problem.holes, [](const HoleSpace& h) { return h.traits().is_expression(); });
}

// The best completion that is one of smaller grammars; nothing: there is none, or none was found in time.
std::optional<Completion> best_of_smaller_grammars(const Program& sketch, const Program& spec, Problem& problem,
                                                   SolveOptions options, double seconds) {
  std::optional<Completion> best;
  const Deadline deadline = options.deadline;
  for (const HoleKind of_index : {HoleKind::kXform, HoleKind::kXor}) {
    const SmallerGrammars smaller(problem, of_index);
    if (!smaller.any() || (best && options.first_only)) break;
    options.deadline = deadline.share(0.25).within(seconds);
    Solution solution = solve_placed_or_weakened(sketch, spec, problem, options);
    if (solution.outcome != Outcome::kFound) continue;
    best = std::move(solution.completions[0]);
    smaller.restore_arguments(*best);
    options.below = best->cost.total;
  }
  return best;
}

// Chains of expressions are too many to be gone through: what is found for less than a completion of smaller grammars
// costs, or that nothing does, is found sooner.
Solution solve_expressions(const Program& sketch, const Program& spec, Problem& problem, const SolveOptions& options) {
  if (options.all > 0 || !has_expressions(problem)) return solve_placed_or_weakened(sketch, spec, problem, options);
  Solution solution;
  SolveOptions less = options;
  for (const ExpressionTurn& turn : kExpressionTurns) {
    SolveOptions soon = options;
    soon.deadline = options.deadline.within(turn.by_expressions);
    solution = solve_placed_or_weakened(sketch, spec, problem, soon);
    if (solution.outcome == Outcome::kInfeasible || solution.optimality == Optimality::kProved ||
        (solution.outcome == Outcome::kFound && options.first_only) || options.deadline.passed())
      return solution;
    if (solution.outcome == Outcome::kFound) less.below = solution.completions[0].cost.total;
    if (auto best = best_of_smaller_grammars(sketch, spec, problem, less, turn.by_smaller))
      take(solution, *std::move(best), options);
    if (solution.outcome == Outcome::kUnknown && !soon.deadline.passed()) return solution;
    if (solution.outcome == Outcome::kFound && options.first_only) return solution;
    if (solution.outcome == Outcome::kFound) less.below = solution.completions[0].cost.total;
    if (solution.outcome == Outcome::kFound) break;
  }
  Solution rest = solve_placed_or_weakened(sketch, spec, problem, less);
  if (rest.outcome == Outcome::kFound || solution.outcome != Outcome::kFound) return rest;
  std::swap(rest.completions, solution.completions);
  if (rest.outcome == Outcome::kInfeasible) rest.reason.clear();
  rest.optimality = rest.outcome == Outcome::kInfeasible ? Optimality::kProved : Optimality::kBestFound;
  rest.outcome = Outcome::kFound;
  return rest;
}

}  // namespace

Solution solve_in_doubt(const Program& sketch, const Program& spec, Problem& problem, const SolveOptions& options) {
  if (auto reason = too_narrow_output(problem)) {
    Solution none;
    none.outcome = Outcome::kInfeasible;
    none.reason = *std::move(reason);
    return none;
  }
  const FunctionsAsElements elements(problem);
  Solution solution = search_or_hand_over(sketch, problem, options, [&](const SolveOptions& turn) {
    return solve_expressions(sketch, spec, problem, turn);
  });
  if (solution.outcome == Outcome::kUnknown && solution.unknown == UnknownReason::kLargerExpressions)
    if (auto why = doubt_about_forms(sketch, spec, problem, options)) {
      solution.unknown = UnknownReason::kOther;
      solution.reason = *std::move(why);
    }
  if (may_be_doubted(problem)) solution.at_least = 0;  // what is right in another form may cost less
  const bool claims = solution.outcome == Outcome::kInfeasible || solution.optimality == Optimality::kProved ||
                      (options.all > 0 && solution.exhausted);
  if (solution.outcome == Outcome::kUnknown || !claims || solution.beyond_doubt) return solution;
  const auto why = doubt_about(solution, sketch, spec, problem, options);
  if (!why) return solution;
  solution.exhausted = false;
  if (solution.outcome == Outcome::kFound) {
    if (solution.optimality == Optimality::kProved) solution.optimality = Optimality::kBestFound;
    solution.reason = *why;
    return solution;
  }
  solution.outcome = Outcome::kUnknown;
  solution.unknown = UnknownReason::kOther;
  solution.reason = "no completion is known, and not all are excluded: " + *why;
  return solution;
}

}  // namespace swizzle
