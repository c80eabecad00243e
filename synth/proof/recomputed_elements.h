// Elements that a loop stores and a later one with the same head reads: computed there once more.
//
//   for (int c = 0; c < n; ++c) { y[r * n + c] = f(x[c]); s += y[r * n + c]; }
//   for (int c = 0; c < n; ++c) y[r * n + c] /= s;
//
//   for (int c = 0; c < n; ++c) { float y' = f(x[c]); s += y'; }
//   for (int c = 0; c < n; ++c) { float y' = f(x[c]); y' /= s; y[r * n + c] = y'; }
//
// So a loop that sets elements to 0 and one that adds to them become one. Where nothing else of the buffer is named,
// and what the element is computed from stays the same until then.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there are no such loops.
std::optional<Program> with_recomputed_elements(const Program& program);

}  // namespace swizzle
