// Findings: what a search has found so far, and what it knows of why there is no more.
//
//   two completions, nothing left to search        found, the cheaper one proved
//   two completions, and the time limit            found, the cheaper one the best so far
//   none, and the first conflict below the root    infeasible, with that conflict's reason
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "synth/network/conflict.h"
#include "synth/search/solve.h"

namespace swizzle {

struct Findings {
  std::vector<Completion> found, aside;
  Solution so_far;  // its outcome, reason and completions are not told yet
  bool timed_out = false, out_of_memory = false;
  std::optional<std::size_t> too_many_tables;  // of a hole
  double least_unlisted =
      std::numeric_limits<double>::infinity();  // what a completion costs at least that has a table which no list has
  std::optional<std::size_t> unlisted;          // a hole with such a table
  std::optional<std::size_t> excluded;          // a hole without a table that fits
  std::optional<Conflict> deepest, hopeless;

  // The search starts again: what was found is kept, should a limit end it before as much is found again, or nothing be
  // cheaper.
  void set_aside();
  // What the search comes to. `best`: the cost of the best completion, without what is issued anyway.
  Solution conclude(const Problem& problem, const SolveOptions& options, double best);
  // Before anything is searched.
  Solution infeasible(const Problem& problem, const Conflict& conflict);

 private:
  // What cut the search short, if something did.
  std::optional<UnknownReason> cut(double best) const;
  std::string why_cut(UnknownReason reason, const Problem& problem) const;
  void take_back();
  std::string why_infeasible(const Problem& problem) const;
};

}  // namespace swizzle
