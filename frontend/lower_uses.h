// Uses of names across the whole file, after lowering: of what the entry reaches, and of what it does not. Private to
// frontend/.
//
//   int n = 4;  …  ?sw_xform(lane, n)     n is used in a hole alone: it is among Program::sole_uses
//   int g() { return ?sw_const(0, 4); }   a hole that the entry does not reach would stay open: it is reported
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "frontend/lowering_context.h"

namespace swizzle {

// `lowered`: where the holes stand that the entry reaches.
void survey_uses(const LoweringContext& in, const std::set<std::uint32_t>& lowered, const std::string& entry_name);

}  // namespace swizzle
