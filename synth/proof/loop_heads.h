// Heads of loops that call functions, as heads that name variables: what counted_loop.h follows.
//
//   for (int i = lane(); i < n; i += warp.size()) …
//   { const int a = lane(), b = warp.size(); for (int i = a; i < n; i += b) … }
//
// Of functions that read nothing but what they are given, and change nothing: a call gives the same in each round.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such loop.
std::optional<Program> with_calls_before_loops(const Program& program);

}  // namespace swizzle
