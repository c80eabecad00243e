// Constants by the arguments of a hole, and the shortest text that has them all.
//
//   ?sw_mask(k) for k < 2: 0x0f and 0x33 of 8 bits      k == 0 ? 0x0fu : 0x33u
//   for k < 3: 0x0f, 0x33 and 0x55                      0xffu / ((1u << (4 >> k)) + 1)
//   ?sw_const(0, 32, k) for k < 3: 1, 3, 5              k * 2 + 1
//   16, 8, 4                                            16 >> k
//   0x001, 0x010, 0x100                                 0x001u << (k * 4)
//   0x55, 0xaa, 0x55, 0xaa                              (k & 1) == 0 ? 0x55u : 0xaau
//   0, 1, 4                                             {0, 1, 4}[k], an array of constants
//
// They are parts of instructions where loops are unrolled: they cost nothing.
#pragma once

#include <cstdint>
#include <map>

#include "synth/program/index_expr.h"
#include "synth/provenance/points.h"

namespace swizzle {

// By the arguments as they are written.
using ConstantRows = std::map<Arguments, std::int64_t>;

struct ConstantForm {
  enum class Kind : std::uint8_t { kInteger, kMask, kSelector } kind = Kind::kInteger;  // an int, or a word in digits
  int bits = 32;                                                                        // of the word
};

IndexExpr expression_of(const ConstantRows& rows, ConstantForm form = {});

}  // namespace swizzle
