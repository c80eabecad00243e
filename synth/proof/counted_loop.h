// Loops that count: for (int i = first; i < end; i += step), with nothing else in their head.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

struct CountedLoop {
  VariableId variable;
  ExprId first, end, step;    // an invalid step: 1
  bool is_inclusive = false;  // i <= end
};

// Nothing, where it is another loop. The body may still change the variable.
std::optional<CountedLoop> counted_loop(const Program& program, const Stmt& stmt);

}  // namespace swizzle
