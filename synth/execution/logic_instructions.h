// Logic on words: what one LOP3 computes counts once.
//
//   (a & m) | (c & ~m)               three inputs a, m, c: one instruction; each further two inputs take one more
//   p = a & m; q = c & ~m; p | q     likewise: what is named, and used once, is a part of what uses it
//
// Source: PTX ISA, lop3.b32: any function of three inputs.
#pragma once

#include <vector>

#include "synth/program/program.h"

namespace swizzle {

// Of all expressions: how many instructions their logic takes, a LOP3 counting once; 0: it is a part of another's.
std::vector<int> logic_instructions(const Program& program);

}  // namespace swizzle
