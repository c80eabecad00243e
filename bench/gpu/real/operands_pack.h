// For operand_pack*.cu: from rows to fragments.
#pragma once

#include "operands.h"

template <int R, int C, class Order>
__global__ void pack_naive(const Half* __restrict__ x, Half* __restrict__ y, int w, int h, int count) {
  const int at = blockIdx.x * 256 + threadIdx.x;
  if (8 * at >= count) return;
  const Eight<R, C, Order> from(at, w);
#pragma unroll
  for (int e = 0; e < 8; e++)
    y[8 * at + e] = from.row(e) < h && from.column(e) < w ? x[from.row(e) * w + from.column(e)] : 0;
}

// A tile through shared memory, rows 16 bytes longer; fragments are put together half by half.
template <int R, int C, class Order>
__global__ void pack_shared_memory(const Half* __restrict__ x, Half* __restrict__ y, int w, int h) {
  __shared__ __align__(16) Half tile[R][C + 8];
  const int left = blockIdx.x * C, top = blockIdx.y * R;
#pragma unroll
  for (int i = threadIdx.x; i < R * C / 8; i += 256) {
    const int r = i / (C / 8), c = i % (C / 8) * 8;
    *reinterpret_cast<uint4*>(&tile[r][c]) = top + r < h && left + c < w
                                                 ? *reinterpret_cast<const uint4*>(&x[(top + r) * w + left + c])
                                                 : make_uint4(0, 0, 0, 0);
  }
  __syncthreads();
  const int first = (blockIdx.y * gridDim.x + blockIdx.x) * R * C;
#pragma unroll
  for (int i = threadIdx.x; i < R * C / 8; i += 256) {
    const int down = i / 32 / (C / 16) * 16, across = i / 32 % (C / 16) * 16;
    __align__(16) Half eight[8];
#pragma unroll
    for (int e = 0; e < 8; e++) eight[e] = tile[down + Order::row(i % 32, e)][across + Order::column(i % 32, e)];
    *reinterpret_cast<uint4*>(&y[first + 8 * i]) = *reinterpret_cast<uint4*>(eight);
  }
}

// As CUTLASS's kernels do: ldmatrix from rows whose pieces of 16 bytes change places by XOR with the row's number.
template <int R, int C, class Order>
__global__ void pack_by_ldmatrix(const Half* __restrict__ x, Half* __restrict__ y, int w, int h) {
  __shared__ __align__(128) Half tile[R * C];
  const auto at = [](int r, int c) { return r * C + (c ^ (C == 32 ? r / 2 % 4 * 8 : r % 8 * 8)); };
  const int left = blockIdx.x * C, top = blockIdx.y * R, lane = threadIdx.x % 32;
#pragma unroll
  for (int i = threadIdx.x; i < R * C / 8; i += 256) {
    const int r = i / (C / 8), c = i % (C / 8) * 8;
    *reinterpret_cast<uint4*>(&tile[at(r, c)]) = top + r < h && left + c < w
                                                     ? *reinterpret_cast<const uint4*>(&x[(top + r) * w + left + c])
                                                     : make_uint4(0, 0, 0, 0);
  }
  __syncthreads();
  const int first = (blockIdx.y * gridDim.x + blockIdx.x) * R * C;
#pragma unroll
  for (int i = threadIdx.x; i < R * C / 8; i += 256) {
    const int down = i / 32 / (C / 16) * 16, across = i / 32 % (C / 16) * 16;
    const unsigned from = (unsigned)__cvta_generic_to_shared(&tile[at(down + lane % 16, across + lane / 16 * 8)]);
    uint4 a;
    if constexpr (std::is_same_v<Order, FirstOperand>)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a.x), "=r"(a.y), "=r"(a.z), "=r"(a.w)
                   : "r"(from));
    else
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a.x), "=r"(a.y), "=r"(a.z), "=r"(a.w)
                   : "r"(from));
    *reinterpret_cast<uint4*>(&y[first + 8 * i]) = a;
  }
}

template <class Synthesized, class Order>
int compete_packing() {
  constexpr int R = Synthesized::kRows, C = Synthesized::kColumns, w = kWidth, h = kHeight;
  const dim3 grid((w + C - 1) / C, (h + R - 1) / R);
  const int count = grid.x * C * grid.y * R;
  Half* const x = swizzle_race::filled<Half>(count);
  Half* const y = swizzle_race::filled<Half>(count);
  const std::vector<Half> data = swizzle_race::to_host(x, count);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, count,
      {{"naive", [=] { pack_naive<R, C, Order><<<(count / 8 + 255) / 256, 256>>>(x, y, w, h, count); }},
       {"shared memory", [=] { pack_shared_memory<R, C, Order><<<grid, 256>>>(x, y, w, h); }},
       {"ldmatrix", [=] { pack_by_ldmatrix<R, C, Order><<<grid, 256>>>(x, y, w, h); }},
       {"synthesized",
        [=] { Synthesized::launch(reinterpret_cast<const half*>(x), reinterpret_cast<half*>(y), w, h); }}},
      [&](long long i) {
        const Eight<R, C, Order> from((int)(i / 8), w);
        const int r = from.row(i % 8), c = from.column(i % 8);
        return r < h && c < w ? data[r * w + c] : Half(0);
      });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}
