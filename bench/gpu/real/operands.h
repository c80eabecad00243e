// For operand_*.cu: a matrix of h rows of w halves, and the same in 16 x 16 fragments as tensor cores take them, tile
// after tile of R x C, zeros around the matrix. Halves are words of 16 bits here: they are moved only.
#pragma once

#include <cuda_fp16.h>

#include "race.h"

using Half = unsigned short;

// Element e of a lane's eight, in its fragment.
struct FirstOperand {
  static __host__ __device__ int row(int lane, int e) { return e / 2 % 2 * 8 + lane / 4; }
  static __host__ __device__ int column(int lane, int e) { return e / 4 * 8 + lane % 4 * 2 + e % 2; }
};
struct SecondOperand {
  static __host__ __device__ int row(int lane, int e) { return e / 2 % 2 * 8 + lane % 4 * 2 + e % 2; }
  static __host__ __device__ int column(int lane, int e) { return e / 4 * 8 + lane / 4; }
};

// Where eight halves of the packed matrix come from: element(e) gives row and column.
template <int R, int C, class Order>
struct Eight {
  int top, left, lane;
  __host__ __device__ Eight(int at, int w) {
    const int tiles_across = (w + C - 1) / C, fragment = at / 32 % (R * C / 256), tile = at / (R * C / 8);
    lane = at % 32;
    top = tile / tiles_across * R + fragment / (C / 16) * 16;
    left = tile % tiles_across * C + fragment % (C / 16) * 16;
  }
  __host__ __device__ int row(int e) const { return top + Order::row(lane, e); }
  __host__ __device__ int column(int e) const { return left + Order::column(lane, e); }
};

// Widths that are multiples of 8 and of no more, heights that are odd.
constexpr int kWidth = 16264, kHeight = 16509;
