// What a search came to: found, infeasible, or unknown (why). None of them is an error, and unknown is never taken for
// infeasible. The search, the report and the exit code mean the same three by it.
//
//   found        proved: nothing costs less · best_found: nothing that was seen · not_asked: --first, --all
//   infeasible   nothing is left that could be a completion
//   unknown      the search ended early: UnknownReason tells what ended it, unknown_text() says it
//
// Costs are modelled issue slots of a warp: see machine.h.
#pragma once

#include <string>
#include <string_view>

namespace swizzle {

enum class Outcome { kFound, kInfeasible, kUnknown };
enum class Optimality { kProved, kBestFound, kNotAsked };

enum class UnknownReason {
  kOther,              // told in words where it happens
  kTimeOfParsing,      // the time limit passed before everything was parsed
  kTimeOfPosing,       // or posed
  kTimeOfSearch,       // or while the search went on
  kTooManyTables,      // more tables of one hole fit than are tried
  kLargerExpressions,  // expressions of more operations may do; those of fewer were all tried
  kOutOfMemory,
};

const char* name_of(Outcome outcome);        // "found", "infeasible", "unknown"
const char* name_of(Optimality optimality);  // "proved", "best_found", "not_asked"
// "the time limit ended the search"; empty for kOther. `what`: what a time limit is called, "the limit of 60 s", or the
// hole whose tables are too many, "the ?sw_xform at 7:14"; empty: it is not said.
std::string unknown_text(UnknownReason reason, std::string_view what = "");

struct Cost {
  // Per warp.
  double shuffles = 0, accumulates = 0, multiplies = 0, shared_wavefronts = 0, loads = 0, integer_ops = 0;
  double total = 0;  // issue slots per warp: of all these together
};

}  // namespace swizzle
