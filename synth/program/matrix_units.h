// Which lane holds which unit of the 8 × 8 matrices of 16-bit units that ldmatrix and stmatrix move.
//
//   row i of matrix m     16 bytes at the address of lane 8m + i
//   register m of lane l  units 2(l mod 4) and 2(l mod 4) + 1 of row ⌊l / 4⌋, the first in its low half
//   transposed            unit ⌊l / 4⌋ of rows 2(l mod 4) and 2(l mod 4) + 1
//
// Source: PTX ISA, ldmatrix and stmatrix.
#pragma once

namespace swizzle {

inline constexpr int kMatrixRows = 8, kMatrixRowBytes = 16, kMatrixUnitBytes = 2;

struct MatrixUnit {
  int row, column;
};

// Where a half of a register comes from.
constexpr MatrixUnit matrix_unit(int lane, int half, bool is_transposed) {
  const int pair = 2 * (lane % 4) + half;
  return is_transposed ? MatrixUnit{pair, lane / 4} : MatrixUnit{lane / 4, pair};
}

struct MatrixHolder {
  int lane, half;
};

// The other way round.
constexpr MatrixHolder holder_of(MatrixUnit unit, bool is_transposed) {
  const int line = is_transposed ? unit.column : unit.row, pair = is_transposed ? unit.row : unit.column;
  return {line * 4 + pair / 2, pair % 2};
}

}  // namespace swizzle
