// Expressions that name a place, and types of what lies there.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

// x, x[i], *p, s.member of one of these.
bool is_lvalue(const Program& program, const Expr& e);

// Of `float[2][3]`: float.
const Type& innermost(const Program& program, TypeId type);
TypeId innermost_id(const Program& program, TypeId type);

// The type of all scalars in `type`, if there is one and they lie side by side, without padding.
std::optional<Scalar> packed_scalar(const Type& type);

// Its slots, where they do not follow each other at equal distances; else none.
ItemLayout uneven_layout(const Program& program, TypeId type);

// Of what a buffer of such items holds.
ItemLayout item_layout(const Program& program, TypeId type);

}  // namespace swizzle
