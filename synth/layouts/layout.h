// Layout: where element (r, c) of a shared-memory tile lies in its buffer. Units: elements, unless a name says bytes.
//
//   column(r, c)  = ((c ^ x(r)) + rotation(r)) mod width      x(r) = ((r >> down) & mask) << up
//   address(r, c) = swizzle(r · pitch + column(r, c))         rotation(r) = factor · (r >> down)
//
// Three layouts of a 4×4 tile, each free of conflicts by rows and by columns on 4 banks of one element:
//
//   pitch 5               x(r) = r            rotation(r) = r
//   r * 5 + c             r * 4 + (c ^ r)     r * 4 + ((c + r) & 3)
//    0  1  2  3  .         0  1  2  3          0  1  2  3
//    4  5  6  7  .         5  4  7  6          7  4  5  6        what each row of the buffer holds
//    8  9 10 11  .        10 11  8  9         10 11  8  9
//   12 13 14 15           15 14 13 12         13 14 15 12
//
// Each is an injection: a row goes to words of its own, x and the rotation permute [0, width), and the swizzle permutes
// all integers. Whether it stays inside a buffer is what extent() says.
//
// Swizzle<B, M, S> is that of CuTe (NVIDIA/cutlass include/cute/swizzle.hpp), on the index of the element:
//   0bxxxYYYxxxZZZxxx    M bits below ZZZ, S bits from ZZZ up to YYY (down if S < 0), B bits each: ZZZ ^= YYY
#pragma once

#include <cstdint>
#include <string>

#include "synth/program/index_expr.h"

namespace swizzle {

struct BitSwizzle {
  int bits = 0;   // B; 0: the identity
  int base = 0;   // M
  int shift = 0;  // S, |S| ≥ B

  std::int64_t source_mask() const { return ((std::int64_t{1} << bits) - 1) << (base + (shift > 0 ? shift : 0)); }
  std::int64_t target_mask() const { return ((std::int64_t{1} << bits) - 1) << (base - (shift < 0 ? shift : 0)); }
  std::int64_t apply(std::int64_t x) const {
    const std::int64_t y = x & source_mask();
    return x ^ (shift < 0 ? y << -shift : y >> shift);
  }
  friend bool operator==(const BitSwizzle&, const BitSwizzle&) = default;
};

struct RowXor {
  int down = 0, up = 0;
  int mask = 0;  // 2^b - 1; 0: the identity
  int of(int row) const { return ((row >> down) & mask) << up; }
  friend bool operator==(const RowXor&, const RowXor&) = default;
};

struct RowRotation {
  int factor = 0;  // 0: the identity
  int down = 0;
  int width = 1;
  int of(int row) const { return static_cast<int>(std::int64_t{factor} * (row >> down) % width); }
  friend bool operator==(const RowRotation&, const RowRotation&) = default;
};

struct Layout {
  int rows = 1, columns = 1;
  int pitch = 1;  // ≥ columns
  RowXor row_xor;
  RowRotation rotation;
  BitSwizzle swizzle;

  // By rows, without gaps.
  static Layout plain(int rows, int columns) { return {rows, columns, columns, {}, {}, {}}; }

  int column(int row, int c) const {
    const int moved = c ^ row_xor.of(row);
    return rotation.factor == 0 ? moved : (moved + rotation.of(row)) % rotation.width;
  }
  std::int64_t address(int row, int c) const { return swizzle.apply(std::int64_t{row} * pitch + column(row, c)); }

  // Every column stays within its row of `pitch` elements.
  bool is_injective() const;
  // 1 + the largest address.
  std::int64_t extent() const;
  // What a buffer for it alone is declared with: extent() or rows · pitch, whichever is more.
  std::int64_t size() const;
  // Over arguments r, c.
  IndexExpr expression() const;         // address()
  IndexExpr column_expression() const;  // column()
  // expression().integer_ops()
  int integer_ops() const;
  friend bool operator==(const Layout&, const Layout&) = default;
};

}  // namespace swizzle
