// Hole text: what stands in the place of a hole, as it must be written there.
//
//   y = x & ?sw_choose(a, b >> ?sw_const(1, 9));      found: the second, 3
//     printed            sw_choose: b >> 3         sw_const: 3
//     in its context     sw_choose: (b >> 3)       sw_const: 3
//
// A hole in what another one chooses from is a part of that one's text.
#pragma once

#include <optional>
#include <string>

#include "synth/program/program.h"
#include "synth/search/solve.h"

namespace swizzle {

// The expression that replaces a hole.
std::string printed(const Program& sketch, const Completion& completion, HoleId hole);

// The same, with parentheses, unless commas, parentheses, brackets or `=` … `;` stand around the hole.
std::string hole_in_context(const Program& sketch, const Completion& completion, HoleId hole);

// The innermost hole that this one stands in, if there is one.
std::optional<HoleId> chooser_of(const Program& sketch, HoleId hole);

}  // namespace swizzle
