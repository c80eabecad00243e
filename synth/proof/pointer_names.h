// Pointers by which a kernel names parts of a buffer that it stores to by other names as well.
//
//   const float* x = in + r * n;  …  x = out + r * n;  … x[c] …        out[r * n + c]
//
// A pointer that is moved once, in the block that declares it, is two of them.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such pointer.
std::optional<Program> with_own_pointers(const Program& program);    // one for each move
std::optional<Program> with_named_elements(const Program& program);  // of parameters that have several names

}  // namespace swizzle
