// Expressions in which lanes meet.
//
//   x[t] + 1                         false
//   __shfl_sync(~0u, v, t ^ 1) + 1   true: all lanes of the mask must evaluate it
//   f(v)                             true: f may have a shuffle
#pragma once

#include "synth/program/program.h"

namespace swizzle {

bool meets_lanes(const Program& program, ExprId expr);

}  // namespace swizzle
