// For structs_store*.cu: F arrays of n floats become n structs.
#pragma once

#include "structs.h"

template <int F>
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[F * i + j] = x[j * n + i];
}

template <int F>
__global__ void vectors(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float r[F];
#pragma unroll
  for (int j = 0; j < F; j++) r[j] = x[j * n + i];
  write_struct(y, i, r);
}

// A warp's structs pass through its part of shared memory; padded where the stride of the fields is even.
template <int F, int kThreads>
__global__ void shared_memory(const float* __restrict__ x, float* __restrict__ y, int n) {
  constexpr int kPitch = F + 1 - F % 2;
  __shared__ float tile[kThreads * kPitch];
  const int lane = threadIdx.x % 32, i = blockIdx.x * kThreads + threadIdx.x, first = F * (i - lane);
  float* const mine = tile + (threadIdx.x - lane) * kPitch;
  if (i < n) {
#pragma unroll
    for (int j = 0; j < F; j++) mine[lane * kPitch + j] = x[j * n + i];
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < F; j++) {
    const int at = 32 * j + lane;
    if (first + at < F * n) y[first + at] = mine[at / F * kPitch + at % F];
  }
}

// CUB's warp transpose, from the F floats of each thread's struct.
template <int F, int kThreads>
__global__ void __launch_bounds__(kThreads) by_cub(const float* __restrict__ x, float* __restrict__ y, int n) {
  using Store = cub::BlockStore<float, kThreads, F, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ typename Store::TempStorage storage;
  const int first = blockIdx.x * kThreads, i = first + threadIdx.x;
  float r[F];
#pragma unroll
  for (int j = 0; j < F; j++) r[j] = i < n ? x[j * n + i] : 0;
  if (first + kThreads <= n) {
    Store(storage).Store(y + F * first, r);
  } else {
    Store(storage).Store(y + F * first, r, F * (n - first));
  }
}

#ifdef SWIZZLE_HAS_TROVE
template <int F>
__global__ void by_trove(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  Fields<F> r;
#pragma unroll
  for (int j = 0; j < F; j++) r.field[j] = x[j * n + i];
  trove::coalesced_ptr<Fields<F>>(reinterpret_cast<Fields<F>*>(y))[i] = r;
}
#else
template <int F>
constexpr void (*by_trove)(const float*, float*, int) = nullptr;
#endif

template <class Synthesized>
int compete() {
  constexpr int F = Synthesized::kFields;
  return compete_with<Synthesized>({naive<F>, vectors<F>, shared_memory<F, threads_of_shared_memory(F)>,
                                    by_cub<F, threads_of_shared_memory(F)>, by_trove<F>},
                                   [](long long i, int fields, int n) { return i % fields * n + i / fields; });
}
