// Greatest and least values that a condition keeps, as one expression, where threads leave their loops one by one:
//
//   if (x[i] > m) m = x[i];        m = x[i] > m ? x[i] : m;
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// Nothing: there is no such condition.
std::optional<Program> with_compared_assignments(const Program& program);

}  // namespace swizzle
