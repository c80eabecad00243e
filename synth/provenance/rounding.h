// Rounding: a real value that is converted to a type which does not hold all values of its own.
//
//   half(x[0]) of a float x             a function of x[0] like any other: digits are lost
//   float(half(x[0]))                   the same one: a float holds what a half does
//   half(float(h[0]) + float(h[1]))     h[0] + h[1] of halves h: arithmetic is that of real numbers, as it is within a
//                                       type; the operands lose nothing
//   float(h[0] + h[1])                  a function of the sum, which was rounded to a half before it was widened
//
// Private to synth/provenance/.
#pragma once

#include "synth/provenance/provenance.h"

namespace swizzle {

// From one floating type to another, choice by choice.
Value rounded(Provenance& provenance, Value v, Scalar from, Scalar to);

}  // namespace swizzle
