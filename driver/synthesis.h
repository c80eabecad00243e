// From a pair to the cheapest completion: pose, search, conclude.
//
//   const SynthesisRequest request{.machine = *target_machine("sm_90")};
//   auto posed = pose_pair(*pair, request);                     // the equations of all instances; a variant
//   Searched searched = search(std::get<PosedPair>(posed), request);
//   Ending ending = conclude(std::get<PosedPair>(posed), request, searched);   // found, infeasible (why) or unknown
//   (why) searched.solution.completions[0].cost.total;                // reverse: 13
//
// search() may take as long and as much memory as there is: its caller sets limits (tools/limits.h), the deadline among
// them. Whatever they end, what was found by then is found. conclude() explains, and is none of the search.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "driver/ending.h"
#include "driver/observer.h"
#include "driver/sources.h"
#include "synth/synthesis/constant_search.h"

namespace swizzle {

struct SynthesisRequest {
  Sizes set = {};                // over what the sketch's instances say
  std::vector<Sizes> also = {};  // posed besides the instances
  IssueCosts machine = {};
  Deadline deadline = {};
  double search_seconds = std::numeric_limits<double>::infinity();  // at most
  std::string limit = "the time limit";  // what the deadline is called, where it ends something
  std::size_t jobs = 1;
  Groups groups = Groups::kAlike;              // that posing and re-reading execute
  bool first_only = false;                     // the first completion will do
  std::size_t all = 0;                         // list up to so many
  bool counts_space = false;                   // also how many different tables there are, which takes time
  bool suggests = true;                        // what a sketch without a completion could have instead
  std::function<void()> when_found = nullptr;  // see SolveOptions
};

// Makes them instances, and no checks.
void pose_also(const std::vector<Sizes>& also, PairSizes& sizes);

// Error: none of the machines that are known.
Result<IssueCosts> target_machine(const std::string& arch);

struct PosedPair {
  SynthesisTask task;  // refers to the pair
  PosedAssignments assignments;
  std::vector<Expectation> at_checks;  // what the spec gives there; the search does not see it
  double seconds = 0;
};

// `pair` outlives what comes out. Ends in bad input, or unknown: the deadline.
OrEnding<PosedPair> pose_pair(const Pair& pair, const SynthesisRequest& request, Observer& observer = nobody());

// "the time limit ended the search; the heaviest hole is the ?sw_xform at 8:40, with 512 points and 10^7.5 settings"
std::string search_timeout_text(const PosedPair& posed, const SynthesisRequest& request);

struct Searched {
  Solution solution;
  std::optional<PosedAssignment> best;        // see SynthesisSolution
  double raw_space = 0;                       // log10 of the settings of all parameters, layouts among them
  std::optional<double> distinct_space = {};  // log10 of the different tables, if that was asked and there was time
  double seconds = 0;
};

// Uses up posed.assignments.
Searched search(PosedPair& posed, const SynthesisRequest& request, Observer& observer = nobody());

// Found, infeasible or unknown, and why: the reason goes into the solution, too.
Ending conclude(const PosedPair& posed, const SynthesisRequest& request, Searched& searched);

}  // namespace swizzle
