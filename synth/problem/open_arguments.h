// Open arguments: those of a hole whose values at other sizes may be others than at the posed ones.
//
//   #pragma swizzle launch grid(n / 64) block(64)
//   for (int k = 0; k < 3; k++) … ?sw_xform(threadIdx.x % 32, 32, k, blockIdx.x, blockIdx.x % 4)
//     threadIdx.x % 32, k   the same at every n: the values that were met are all there are
//     blockIdx.x            open, in any bounds
//     blockIdx.x % 4        open, in [0, 3], also where n = 64 has block 0 alone
//
// A value is open if it is computed from a size, a block's number or the grid, or how often it is changed depends on
// such.
#pragma once

#include <vector>

#include "synth/program/argument_values.h"
#include "synth/program/program.h"

namespace swizzle {

// By hole, ascending.
std::vector<std::vector<OpenArgument>> open_arguments(const Program& sketch);

}  // namespace swizzle
