// The search with its doubts: what it concludes from values that are told apart by form alone (doubts.h) stands only if
// it can be had without that.
//
//   y[t] = __byte_perm(x[t], 0, 0x1032) against x[t] << 16 | x[t] >> 16
//     by form      infeasible
//     weakened     y[t] must be reached by x[t], and is; on all numbers that are tried both sides are the same
//     concluded    unknown: __byte_perm at 7:14 is compared as an opaque function
#pragma once

#include "synth/program/program.h"
#include "synth/search/solve.h"

namespace swizzle {

// As solve_placed(); an infeasible problem whose refutation is in doubt is unknown, and a cheapest completion next to
// one that is in doubt is the best found.
Solution solve_in_doubt(const Program& sketch, const Program& spec, Problem& problem, const SolveOptions& options);

}  // namespace swizzle
