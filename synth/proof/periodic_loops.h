// Loops of a kernel whose rounds take turns among a few buffers, as loops over so many rounds at once, and the rest.
//
//   for (int k = 0; k < n; ++k) { s[k % 3][t] = x[k]; … }
//
//   for (int k' = 0; k' < n / 3 * 3; k' += 3) { k = k': …  k = k' + 1: …  k = k' + 2: … }
//   for (int k = n / 3 * 3; k < n; ++k) …
//
// Likewise where a variable takes turns: cur ^= 1, cur = 1 - cur, cur = (cur + 1) % 3.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such loop over a size.
std::optional<Program> with_periodic_loops(const Program& kernel);

}  // namespace swizzle
