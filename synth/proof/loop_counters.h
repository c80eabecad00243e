// Loops that count by a variable of others, as loops that have their own: what counted_loop.h follows.
//
//   int c = lane;                                    int c = lane;
//   for (; c < n; c += 32) s += x[c];                for (int c' = c; c' < n; c' += 32) s += x[c'];
//   while (c < n) { s += x[c]; c += 32; }            likewise
//   for (int i = 0, p = 8; i < n; i = i + 1, p += 8) { … }     int p = 8; for (int i = 0; i < n; i += 1) { … p += 8; }
//
// Where the variable is read elsewhere, c = c' follows the loop.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such loop.
std::optional<Program> with_own_counters(const Program& program);

}  // namespace swizzle
