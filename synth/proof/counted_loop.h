// Loops that count: for (int i = first; i + ahead < end; i += step), with nothing else in their head. Counters have 32
// bits or more.
#pragma once

#include <optional>

#include "synth/program/program.h"

namespace swizzle {

struct CountedLoop {
  VariableId variable;
  ExprId first, end, step;    // an invalid step: 1
  bool is_inclusive = false;  // i + ahead <= end
  std::int64_t ahead = 0;

  // What is added to the end so that i is below it.
  std::int64_t beyond() const { return (is_inclusive ? 1 : 0) - ahead; }
};

// Nothing, where it is another loop. The body may still change the variable.
std::optional<CountedLoop> counted_loop(const Program& program, const Stmt& stmt);

}  // namespace swizzle
