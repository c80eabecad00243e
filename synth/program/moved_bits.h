// MovedBits: ((v >> down) & mask) << up, in as few operations as it takes.
//
//   v in 0 … 31, down 0, mask 31, up 0     v                       0 operations
//   down 0, mask 7, up 3                   (v & 7) * 8             2
//   down 2, mask 3, up 2                   v & 12                  1
//   down 3, mask 3, up 0                   v >> 3                  1: the mask takes nothing away
#pragma once

#include <cstdint>

#include "synth/program/index_expr.h"

namespace swizzle {

struct MovedBits {
  std::int64_t largest = 0;  // of v, which is not negative
  int down = 0, up = 0;
  std::int64_t mask = 0;  // 2^b - 1

  std::int64_t of(std::int64_t v) const { return ((v >> down) & mask) << up; }
  bool masks() const { return (largest >> down) > mask || (up != 0 && down != 0); }
  int integer_ops() const { return (masks() ? 1 : 0) + (down == up ? 0 : 1); }
  IndexExpr of(IndexExpr v) const {
    if (masks() && down == 0) return IndexExpr::mul(IndexExpr::mask(std::move(v), mask), std::int64_t{1} << up);
    if (down > up) v = IndexExpr::div(std::move(v), std::int64_t{1} << (down - up));
    if (down < up) v = IndexExpr::mul(std::move(v), std::int64_t{1} << (up - down));
    return masks() ? IndexExpr::mask(std::move(v), mask << up) : v;
  }
};

}  // namespace swizzle
