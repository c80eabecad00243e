// Loops of a spec from their ends: a kernel whose blocks store from the last element on shares those out.
//
//   for (int i = 0; i < n; ++i) y[i] = x[n - 1 - i];
//   for (int j = 0; j < n; ++j) { int i = n - 1 - j; y[i] = x[n - 1 - i]; }
#pragma once

#include <vector>

#include "synth/program/program.h"

namespace swizzle {

// Of loops over sizes whose iterations hand on nothing: each of them by itself, and all. None: there is no such loop.
std::vector<Program> with_reversed_loops(const Program& spec);

}  // namespace swizzle
