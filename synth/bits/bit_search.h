// Bit search: the completion of a problem whose words are followed bit by bit.
//
//   y = x & ?sw_mask() | __shfl_xor_sync(~0u, x, ?sw_const(1, 4)) & ~?sw_mask()  on 4 lanes and 4 bits;
//   spec: the even bits of x[t], the odd ones of x[t ^ 2]
//     propagated   bit 1 of y[0] needs x[2].1: the distance is 2, and bit 1 of the mask 0; …      (reach.h)
//     decided      nothing is left; found, 0x5u and 2
//
// Tables of other holes come first, then constants, each with the fewest values left, then the bits of masks that
// demands ask for. What no demand asks for is 0. Constants cost nothing, so that
// all completions cost what the kernel issues anyway; only tables of other holes may cost more than the least.
#pragma once

#include "synth/problem/problem.h"
#include "synth/search/solve.h"

namespace swizzle {

Solution solve_bits(const Program& sketch, Problem& problem, const SolveOptions& options);

}  // namespace swizzle
