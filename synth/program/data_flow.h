// Which expressions have data in them, as far as assignments tell: those below which an input is read.
//
//   int i = t + 1;             no data
//   float v = x[i] * 2;        x[i], x[i] * 2
//   v = v + 1;                 v, v + 1
//
// For messages: calls are taken to give what they are given, and order counts for nothing.
#pragma once

#include <vector>

#include "synth/program/program.h"

namespace swizzle {

// For each expression of the program, by its number.
std::vector<bool> with_data(const Program& program);

}  // namespace swizzle
