// Explanation: why a Problem has no completion, in words that a person can act on.
//
//   y[31], written by thread 31, needs x[65], which no choice of the holes brings there
//
//   y[t] = x[?sw_xform(t, 4)] on 4 lanes, spec y[t] = x[max(t, 1)], so that the hole must be 1, 1, 2, 3:
//     the ?sw_xform at 4:14 must be 1 for t = 0, 2 for 2 and 3 for 3, and no grouping, fanning and rotation of its
//     arguments is all of that; y[0], written by thread 0, comes through it
//
// The search knows that nothing is left, but mostly for reasons deep in its tree. Here the first that holds is told:
// an input that an output lacks; a hole whose grammar has no table for what its points must be, with the fewest points
// that contradict each other; a hole each of whose tables leaves another hole without one.
#pragma once

#include <cstddef>
#include <string>

#include "synth/base/deadline.h"
#include "synth/network/constraint_network.h"
#include "synth/problem/problem.h"

namespace swizzle {

// The inputs that the spec uses for an output and that no choice of the holes brings there. One is enough to tell that
// there is no completion; the fewer, the closer.
struct Lack {
  std::size_t inputs = 0;
  Conflict first;
};
Lack lack_of(const Problem& problem);

// `found` is what the search says of it, and the answer if there is nothing better, or no time.
std::string explain_infeasible(Problem& problem, const Program& sketch, const std::string& found,
                               const Deadline& deadline);

}  // namespace swizzle
