#include "synth/synthesis/doubted_search.h"

#include <algorithm>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "synth/bits/word_tables.h"
#include "synth/network/independent_terms.h"
#include "synth/problem/doubts.h"
#include "synth/problem/opaque_words.h"
#include "synth/problem/stores.h"
#include "synth/synthesis/placed_search.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostDoubted = 512;  // completions of the weakened problem that are looked at
constexpr double kRefutationSeconds = 20, kRankSeconds = 5;

class DoubtedSearch {
 public:
  DoubtedSearch(Problem& problem, const Doubts& doubts) : problem_(problem), doubts_(doubts) {}

  // Whatever fulfils the weakened problem for less is told apart from a completion by an input, or is one by form.
  bool is_settled(double below, const SolveOptions& options) {
    Problem weak = weakened(problem_, doubts_);
    SolveOptions all;
    all.all = kMostDoubted;
    all.deadline = options.deadline.within(kRefutationSeconds);
    all.issue_costs = options.issue_costs;
    all.below = below;
    const Solution rest = solve(weak, all);
    if (rest.outcome == Outcome::kInfeasible) return true;
    return rest.outcome == Outcome::kFound && rest.exhausted &&
           std::ranges::all_of(rest.completions, [&](const Completion& c) { return is_settled(c); });
  }

 private:
  bool is_settled(const Completion& completion) {
    Assignment assignment(problem_.points.size(), 0);
    for (std::size_t h = 0; h < problem_.holes.size(); ++h)
      for (std::size_t i = 0; i < problem_.holes[h].points.size(); ++i)
        assignment[problem_.holes[h].points[i].value] = completion.tables[h].values[i];
    return is_refuted(problem_, doubts_, assignment) || holds_by_form(assignment);
  }

  bool holds_by_form(const Assignment& assignment) {
    PointId blocked;
    Provenance& provenance = problem_.provenance;
    for (std::size_t e : doubts_.equations) {
      const Equation& equation = problem_.equations[e];
      if (!equation.holds(provenance.normalize(provenance.resolve(equation.actual, assignment, blocked)))) return false;
    }
    for (std::size_t r : doubts_.requirements)
      if (truth(provenance.resolve(problem_.requirements[r].violation, assignment, blocked)) != false) return false;
    return stores_agree(problem_, assignment);
  }

  Problem& problem_;
  const Doubts& doubts_;
};

bool are_told_by_terms(Problem& problem, const Doubts& doubts, const SolveOptions& options) {
  return doubts.requirements.empty() && doubts.stores.empty() &&
         have_independent_terms(problem, doubts.equations, options.deadline.within(kRankSeconds));
}

// Why what the search concludes may be otherwise; nothing: it stands.
std::optional<std::string> doubt_about(const Solution& solution, const Program& sketch, const Program& spec,
                                       Problem& problem, const SolveOptions& options) {
  try {
    const Doubts doubts = doubts_of(problem);
    if (!doubts.any() || are_told_by_terms(problem, doubts, options)) return std::nullopt;
    const bool is_found = solution.outcome == Outcome::kFound;
    const bool is_bounded = is_found && options.all == 0 && !solution.completions[0].placement;
    const double below = is_bounded ? solution.completions[0].cost.total
                         : is_found ? std::numeric_limits<double>::infinity()
                                    : options.below;
    if (!has_open_words(sketch, problem) && DoubtedSearch(problem, doubts).is_settled(below, options))
      return std::nullopt;
    return told(*doubts.because, sketch, spec);
  } catch (const std::bad_alloc&) {
    return unknown_text(UnknownReason::kOutOfMemory);
  }
}

}  // namespace

Solution solve_in_doubt(const Program& sketch, const Program& spec, Problem& problem, const SolveOptions& options) {
  Solution solution = solve_placed(sketch, problem, options);
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
