// Which variables a statement may change, as its text says: what is left out of it is noticed where it is executed.
//
//   for (…) { const float v = x[i]; s += v; row[k] = v; p++; }        s, row, p; and v, which is its own
#pragma once

#include <set>

#include "synth/program/program.h"

namespace swizzle {

struct AssignedVariables {
  std::set<VariableId> variables;
  std::set<VariableId> through;  // pointers and references through which something is changed

  static AssignedVariables in(const Program& program, StmtId stmt);
};

}  // namespace swizzle
