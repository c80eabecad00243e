// WeakenedSearch: the search of the weakened problem (doubts.h), which every completion fulfils, for those that are
// completions by form; and whether an input refutes the others.
//
//   WeakenedSearch search(problem, doubts);
//   search.examine(11, options, is_known)    is one of those that cost less than 11 a completion? Are there others?
//
// Private to synth/synthesis/.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "synth/problem/doubts.h"
#include "synth/provenance/orders.h"
#include "synth/search/solve.h"

namespace swizzle {

constexpr double kRefutationSeconds = 20, kTrialSeconds = 10;

// All that costs less gone through on numbers that real functions have values of (trials/doubles.h): beyond doubt.
// Nothing: that is too much, or they have none.
std::optional<Solution> solve_on_doubles(Problem& problem, double below, const SolveOptions& options,
                                         double seconds = kTrialSeconds);

class WeakenedSearch {
 public:
  WeakenedSearch(Problem& problem, const Doubts& doubts) : problem_(problem), doubts_(doubts) {}

  struct Examined {
    bool is_settled = false;               // an input refutes whatever else there might be for less
    std::optional<Completion> completion;  // a completion by form that is not known
  };
  using IsKnown = std::function<bool(const Completion&)>;
  // Of what fulfils the weakened problem for less, and is not known: is it told apart from a completion by an input, or
  // is it one by form?
  Examined examine(double below, const SolveOptions& options, const IsKnown& is_known);

  struct Listed {
    bool is_settled = false;  // an input refutes all others
    std::vector<Completion> completions;
  };
  // Of what fulfils the weakened problem, all that are completions by form.
  Listed list(const SolveOptions& options, double seconds = kRefutationSeconds);

  bool holds(const Completion& completion);

  // One of the first completions of the weakened problem, or what is one for less; settled: nothing is, for less.
  Examined candidate(const SolveOptions& options, double seconds);

 private:
  Solution weakened_completions(double below, std::size_t most, double seconds, const SolveOptions& options) const;
  bool holds_by_form(const Assignment& assignment);

  Problem& problem_;
  const Doubts& doubts_;
  Orders orders_;
};

}  // namespace swizzle
