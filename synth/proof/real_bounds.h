// Loops up to a quotient of reals that is rounded up, as loops up to one of integers.
//
//   for (int t = 0; t < ceil(n / 16.0f); ++t) f(t);       for (int t = 0; t < (n + 15) / 16; ++t) f(t);
//
// A double tells all ints apart, a float those up to 2^24: before the loop stands a product that overflows beyond.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such loop.
std::optional<Program> with_integer_bounds(const Program& program);

}  // namespace swizzle
