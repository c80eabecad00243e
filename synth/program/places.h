// Expressions that name a place, and types of what lies there.
#pragma once

#include "synth/program/program.h"

namespace swizzle {

// x, x[i], *p, s.member of one of these.
bool is_lvalue(const Program& program, const Expr& e);

// Of `float[2][3]`: float.
const Type& innermost(const Program& program, TypeId type);

}  // namespace swizzle
