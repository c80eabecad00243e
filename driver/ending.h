// Ending: how a run of the pipeline ended, as a value that its caller maps to words and exit codes.
//
//   found                   a completion, as far as it was asked to be verified
//   bad input               diagnostics say what is wrong with the files or the environment
//   failed verification     the emitted kernel, re-read or run, is not the spec: ours to repair, never shown as found
//   infeasible              no completion exists: `reason` names the output, thread or access that cannot be served
//   unknown                 `reason` says what ended the search
//
//   reverse on 4 lanes, `y[t] = x[?sw_xform(t, 4)]` against y[i] = x[3 - i]:        found
//   the same against y[i] = x[i] + x[3 - i]:                                        infeasible, "y[0] of thread 0 …"
//
// What may end early gives OrEnding<T>: the next value, or the ending.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "codegen/report/report.h"
#include "synth/base/diagnostic.h"
#include "synth/base/outcome.h"

namespace swizzle {

struct Ending {
  enum class Kind { kFound, kBadInput, kFailedVerification, kInfeasible, kUnknown };
  Kind kind = Kind::kFound;
  std::string reason = {};       // of failed verification, infeasible and unknown: one line
  Diagnostics diagnostics = {};  // of bad input; else what to add
};

template <typename T>
using OrEnding = std::variant<T, Ending>;

inline Ending bad_input(Diagnostics diagnostics) { return {Ending::Kind::kBadInput, {}, std::move(diagnostics)}; }
inline Ending failed_verification(std::string why, Diagnostics diagnostics = {}) {
  return {Ending::Kind::kFailedVerification, std::move(why), std::move(diagnostics)};
}
inline Ending unknown(UnknownReason reason, std::string_view limit = "the time limit") {
  return {Ending::Kind::kUnknown, unknown_text(reason, limit), {}};
}

// Of a kernel that was executed up to the limit of steps; `errors` tell where that was.
Ending too_long(std::string what, Diagnostics errors);

// Outcome and reason: a kernel that failed its verification is reported as unknown.
void report_ending(const Ending& ending, Report& report);

// What the user is told at the end, but for a found one: the diagnostics, and "SKETCH: infeasible: REASON".
std::string text_of(const Ending& ending, const std::string& sketch_path, Colors colors = Colors::kNone);

// The same, one by one; "found" for a found one.
std::vector<Finding> findings_of(const Ending& ending, const std::string& sketch_path);

}  // namespace swizzle
