// Alike equations: those that are one another but for which input elements they name, so that a completion fulfils all
// of them or none.
//
//   y[t] = (x[t] & M) << D, the spec's x[t] << 4, on 4 lanes     y[1] is y[0] with x[1] in place of x[0]: one of them
//   tells all y[t] = __shfl_xor_sync(~0u, x[t], D) & M, the spec's x[t ^ 2]      D decides which element comes: each
//   tells its own
//
// Elements are data that nothing is known of: whatever maps them to others, one to one, maps what is equal to what is.
// Points, and what is not data, must be the same.
#pragma once

#include <cstddef>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

// One equation of each kind, the first of it, in ascending order.
std::vector<std::size_t> unlike_equations(const Problem& problem);

// So many of them at most, the first and some more, far apart.
std::vector<std::size_t> some_of(const std::vector<std::size_t>& all, std::size_t most);

}  // namespace swizzle
