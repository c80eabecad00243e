// Shared arrays that are accessed by wider items than their elements must lie at multiples of that width: nvcc lays a
// `float tile[…]` out at any multiple of 4 bytes.
//
//   __shared__ float tile[33];                                    __shared__ __align__(16) float tile[33];
//   *reinterpret_cast<float4*>(&tile[4 * t]) = v;       needs
//
// The accesses are found by the casts of pointers, and where these pointers come from: through variables, members,
// parameters and what functions return, too. An array may be aligned more than needed, never less.
#pragma once

#include <vector>

#include "synth/base/source_edits.h"
#include "synth/program/program.h"

namespace swizzle {

// Insertions. Errors: an array that says a smaller alignment itself, or whose declaration has no `__shared__` in sight.
Result<std::vector<SourceEdit>> alignment_edits(const Program& sketch);

}  // namespace swizzle
