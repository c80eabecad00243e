// What variables are declared as.
//
//   const int lane = threadIdx.x % 32;    initial and fixed: lane is that wherever it stands
//   int i = 0; … i += 4;                  initial alone
//   int& r = i;                           neither
#pragma once

#include <map>

#include "synth/program/program.h"

namespace swizzle {

std::map<VariableId, ExprId> initial_values(const Program& program);
// Of variables that nothing assigns to or takes the address of.
std::map<VariableId, ExprId> fixed_values(const Program& program);

}  // namespace swizzle
