// XformShape: a transformation swizzle up to its rotations (see tables.h): of two rotations x and y of an index i,
//
//   value(i, x, y) = g·⌊i/g⌋ + (offset(i, x) + (shift(i) + y) mod run) mod g
//
// `?sw_xform` has one rotation, y; x is the extra one of `?sw_xform_extra`. On 6 registers, whose two digits change
// places (period 2, fan 1, stride 1), with x = 1 and y = 0:
//
//   i                     0 1 2 3 4 5
//   (i + x) mod 2         1 0 1 0 1 0     offset = 3 times this
//   ⌊i / 2⌋               0 0 1 1 2 2     shift
//   value                 3 0 4 1 5 2
#pragma once

#include <cstdint>
#include <vector>

#include "synth/tables/tables.h"

namespace swizzle {

struct XformShape {
  int group = 1, fan = 0, period = 1;
  int run = 1;           // y counts modulo this
  bool swapped = false;  // the two digits of i mod group change places
  int stride = 1;        // of ⌊i / period⌋, if swapped

  // x counts modulo this.
  int extra_modulus() const { return swapped ? period : 1; }
  std::int64_t start(std::int64_t i) const;
  int offset(std::int64_t i, int x) const;
  int shift(std::int64_t i) const;
};

// All that a hole may have, the larger groups first.
std::vector<XformShape> shapes_of(const HoleSpace& space);

}  // namespace swizzle
