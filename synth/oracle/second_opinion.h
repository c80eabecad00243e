// A second opinion: the Problem handed to Z3 whole, with neither propagation nor table search.
//
//   y[t] = x[?sw_xform(t, 4)] on 4 lanes, spec y[t] = x[3 - t]:
//     the hole's parameters   exactly one group, fan and period; one constant c
//     its points              group 4, fan 3, period 4, c = 3  →  P_1 = 2
//     y[1] = x[2]             P_1 = 2 and none of P_1 = 0, P_1 = 1, P_1 = 3
//     cost                    group 4, fan 3, period 4, c = 3  →  at least 2 operations, `3 - t` as it would be printed
//
// solve() counts tables and bounds costs; here the parameters of the grammar (tables.h) and the provenance of every
// output are written down as they are defined, so that an error in one is seen by the other. For reduced sizes: some
// 8 lanes and 8 iterations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "synth/base/outcome.h"
#include "synth/machine/machine.h"
#include "synth/problem/problem.h"

namespace swizzle {

struct SecondOpinion {
  Outcome outcome = Outcome::kUnknown;
  std::string reason;                             // of kUnknown
  double cost = 0;                                // of kFound: the least Cost::total of all completions
  std::vector<std::vector<std::int16_t>> tables;  // of kFound: by HoleId, by position in HoleSpace::points
};

SecondOpinion ask_z3(Problem& problem, const IssueCosts& machine, double time_limit_seconds);

// The same question, without costs, as a stand-alone SMT-LIB 2 script; a comment if it cannot be written.
std::string problem_to_smt2(Problem& problem, const IssueCosts& machine);

}  // namespace swizzle
