// solve: the cheapest completion of a Problem, the proof that there is none, or "unknown (why)".
//
// 1. Propagate. What a term of an output may be is bounded by what the spec needs there; values of points that no
//    allowed option supports are removed. When terms and needs are equal in number, each need is met once.
//    Where the values of a transformation force values elsewhere, only its tables that force nothing contradictory are
//    listed: see implied_literals.h.
// 2. Order the holes by how much is known of their points: lanes come before the registers at the source lane, and
//    those before conditions. Enumerate the distinct tables of the next hole that fit, cheapest first, and recurse.
// 3. A branch whose cost, plus the least of each open hole, reaches the best is cut. When nothing is left, the best
//    is proved to be the cheapest. Of branches that a symmetry of holes turns into each other, one is looked at.
// Cost is modelled issue time of a warp: see machine.h.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/base/outcome.h"
#include "synth/layouts/placement.h"
#include "synth/machine/machine.h"
#include "synth/problem/problem.h"
#include "synth/tables/tables.h"

namespace swizzle {

struct SolveOptions {
  bool first_only = false;
  std::size_t all = 0;  // list up to so many distinct completions; 0: only the cheapest
  Deadline deadline = {};
  IssueCosts issue_costs = {};
  double below = std::numeric_limits<double>::infinity();  // only completions whose Cost::total is less
  // Besides that, a table makes a completion cost so much more, which Cost does not tell: by both, the cheapest are
  // found first, and what is not below is left out.
  std::function<double(std::size_t hole, const HoleTable&)> price_beyond = nullptr;
  bool by_trials = false;                     // whether or not steps depend on each other
  bool on_doubles = false;                    // by trials alone, which inputs refute: see trials/doubles.h
  std::size_t many_trial_tables = 500;        // of a hole: those that its steps do not refute may be fewer
  std::size_t most_trial_tables = 60'000;     // of a hole, listed for trials
  std::size_t most_trial_nodes = 40'000'000;  // of a chain's prefixes, before equations are compiled
  std::shared_ptr<SharedTables> shared =
      nullptr;                                 // with problems that are solved before or after, not at the same time
  std::function<void()> when_found = nullptr;  // called at each completion, from the thread that searches
};

struct Completion {
  std::vector<HoleTable> tables;  // by HoleId
  Cost cost;
  std::optional<Placement> placement;  // of a sketch with layouts, or whose holes decide words of shared memory
};

// What these tables decide; of holes that have none, 0.
Assignment assignment_of(const Problem& problem, const std::vector<HoleTable>& tables);  // by HoleId

// Of infeasible, where no single reason was met.
inline constexpr std::string_view kNoSingleReason = "no completion fits all outputs together";

struct Solution {
  Outcome outcome = Outcome::kUnknown;
  std::string reason;                             // of infeasible and unknown, in words; of found, what cut it short
  UnknownReason unknown = UnknownReason::kOther;  // of unknown, and of a search that was cut short
  std::vector<Completion> completions;            // cheapest first; one unless SolveOptions::all
  Optimality optimality = Optimality::kNotAsked;
  double at_least = 0;                // of a search that was cut short: no completion costs less
  double raw_space = 0;               // log10
  std::size_t nodes = 0;              // of the search tree
  bool exhausted = false;             // nothing was left to search: with `all`, every completion is listed
  bool beyond_doubt = false;          // and an input refutes whatever was not listed: see doubts.h
  bool is_least_with_beyond = false;  // SolveOptions::price_beyond counts in what is proved to be minimal
  std::shared_ptr<const Domains> left =
      nullptr;  // of unknown: what propagation leaves of the points, if it came so far
};

// Whatever ends the search, time or memory, what it had found by then is found.
Solution solve(Problem& problem, const SolveOptions& options);

}  // namespace swizzle
