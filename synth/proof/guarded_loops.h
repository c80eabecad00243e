// Loops that end at a bound of their own or where the elements do, as loops that go on to their own bound under a
// guard: how often they run is known then.
//
//   for (int i = b; i < b + 256 && i < n; i++) f(i);       for (int i = b; i < b + 256; i++) if (i < n) f(i);
//   for (int i = b; i < min(b + 256, n); i++) f(i);        likewise
//   for (int j = 0; j < 4; j++) { if (b + j >= n) break; f(j); }
//                                                          for (int j = 0; j < 4; j++) if (b + j < n) f(j);
//
// A guard that fails once fails in all later iterations.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such loop.
std::optional<Program> with_guards_for_bounds(const Program& program);

}  // namespace swizzle
