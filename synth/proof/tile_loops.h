// Loops over tiles, as loops over what is in them: how many tiles there are is not asked of the sizes.
//
//   for (int t = 0; t < (n + 15) / 16; ++t) f(t);        for (int u = 0; u < n; u += 16) { const int t = u / 16; f(t);
//   }
//   for (int t = 0; t * 16 < n; ++t) f(t);              likewise
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such loop.
std::optional<Program> with_loops_over_elements(const Program& program);

}  // namespace swizzle
