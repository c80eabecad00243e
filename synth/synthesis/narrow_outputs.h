// Narrow outputs: what a sketch keeps in a narrower type than the spec needs, whatever its holes are.
//
//   int o = 0; o += x[…]; y[t] = o;  of long long x, y     y[t] is widened from an int
//   long long o = 0; o += x[…];                            on some input, no int is what the spec stores
#pragma once

#include <optional>
#include <string>

#include "synth/problem/problem.h"

namespace swizzle {

// "y[0], written by thread 0, is kept in 'int' before it is stored, which does not hold what the spec stores"; nothing:
// all outputs may have room.
std::optional<std::string> too_narrow_output(const Problem& problem);

}  // namespace swizzle
