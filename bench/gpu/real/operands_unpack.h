// For operand_unpack.cu: from fragments to rows.
#pragma once

#include "operands.h"

template <int R, int C, class Order>
__global__ void unpack_naive(const Half* __restrict__ x, Half* __restrict__ y, int w, int h, int count) {
  const int at = blockIdx.x * 256 + threadIdx.x;
  if (8 * at >= count) return;
  const Eight<R, C, Order> to(at, w);
#pragma unroll
  for (int e = 0; e < 8; e++)
    if (to.row(e) < h && to.column(e) < w) y[to.row(e) * w + to.column(e)] = x[8 * at + e];
}

// A tile through shared memory, rows 16 bytes longer; fragments are taken apart half by half.
template <int R, int C, class Order>
__global__ void unpack_shared_memory(const Half* __restrict__ x, Half* __restrict__ y, int w, int h) {
  __shared__ __align__(16) Half tile[R][C + 8];
  const int left = blockIdx.x * C, top = blockIdx.y * R, first = (blockIdx.y * gridDim.x + blockIdx.x) * R * C;
#pragma unroll
  for (int i = threadIdx.x; i < R * C / 8; i += 256) {
    const int down = i / 32 / (C / 16) * 16, across = i / 32 % (C / 16) * 16;
    __align__(16) Half eight[8];
    *reinterpret_cast<uint4*>(eight) = *reinterpret_cast<const uint4*>(&x[first + 8 * i]);
#pragma unroll
    for (int e = 0; e < 8; e++) tile[down + Order::row(i % 32, e)][across + Order::column(i % 32, e)] = eight[e];
  }
  __syncthreads();
#pragma unroll
  for (int i = threadIdx.x; i < R * C / 8; i += 256) {
    const int r = i / (C / 8), c = i % (C / 8) * 8;
    if (top + r < h && left + c < w)
      *reinterpret_cast<uint4*>(&y[(top + r) * w + left + c]) = *reinterpret_cast<uint4*>(&tile[r][c]);
  }
}

template <class Synthesized, class Order>
int compete_unpacking() {
  constexpr int R = Synthesized::kRows, C = Synthesized::kColumns, w = kWidth, h = kHeight;
  const dim3 grid((w + C - 1) / C, (h + R - 1) / R);
  const int packed = grid.x * C * grid.y * R, count = w * h;
  Half* const x = swizzle_race::filled<Half>(packed);
  Half* const y = swizzle_race::filled<Half>(count);
  std::vector<Half> should(count);
  const std::vector<Half> data = swizzle_race::to_host(x, packed);
  for (int at = 0; at < packed / 8; at++) {
    const Eight<R, C, Order> to(at, w);
    for (int e = 0; e < 8; e++)
      if (to.row(e) < h && to.column(e) < w) should[to.row(e) * w + to.column(e)] = data[8 * at + e];
  }
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, count,
      {{"naive", [=] { unpack_naive<R, C, Order><<<(packed / 8 + 255) / 256, 256>>>(x, y, w, h, packed); }},
       {"shared memory", [=] { unpack_shared_memory<R, C, Order><<<grid, 256>>>(x, y, w, h); }},
       {"synthesized",
        [=] { Synthesized::launch(reinterpret_cast<const half*>(x), reinterpret_cast<half*>(y), w, h); }}},
      [&](long long i) { return should[i]; });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}
