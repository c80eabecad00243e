// Accesses to shared memory that every completion executes, though holes decide for each lane whether it does.
//
//   if (?sw_cond(t, d)) v += tile[…] for d = 1, 2, 4, y[7] the sum of x[0] … x[7]:
//     each of the three loads takes a wavefront at least, as y[7] lacks elements without it (needed_elements.h)
#pragma once

#include "synth/problem/problem.h"

namespace swizzle {

// Wavefronts of a warp that these take at least, where least_wavefronts() says that they may take none.
double necessary_wavefronts(Problem& problem);

}  // namespace swizzle
