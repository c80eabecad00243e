// For structs_load*.cu: n structs of F floats become F arrays of n.
#pragma once

#include "structs.h"

template <int F>
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = x[F * i + j];
}

template <int F>
__global__ void vectors(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float r[F];
  read_struct(x, i, r);
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = r[j];
}

// A warp's structs pass through its part of shared memory; padded where the stride of the fields is even.
template <int F, int kThreads>
__global__ void shared_memory(const float* __restrict__ x, float* __restrict__ y, int n) {
  constexpr int kPitch = F + 1 - F % 2;
  __shared__ float tile[kThreads * kPitch];
  const int lane = threadIdx.x % 32, i = blockIdx.x * kThreads + threadIdx.x, first = F * (i - lane);
  float* const mine = tile + (threadIdx.x - lane) * kPitch;
#pragma unroll
  for (int j = 0; j < F; j++) {
    const int at = 32 * j + lane;
    if (first + at < F * n) mine[at / F * kPitch + at % F] = x[first + at];
  }
  __syncwarp();
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = mine[lane * kPitch + j];
}

// CUB's warp transpose: each thread gets the F floats of its struct.
template <int F, int kThreads>
__global__ void __launch_bounds__(kThreads) by_cub(const float* __restrict__ x, float* __restrict__ y, int n) {
  using Load = cub::BlockLoad<float, kThreads, F, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  __shared__ typename Load::TempStorage storage;
  const int first = blockIdx.x * kThreads, i = first + threadIdx.x;
  float r[F];
  if (first + kThreads <= n) {
    Load(storage).Load(x + F * first, r);
  } else {
    Load(storage).Load(x + F * first, r, F * (n - first), 0.f);
  }
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = r[j];
}

#ifdef SWIZZLE_HAS_TROVE
template <int F>
__global__ void by_trove(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const Fields<F> r = trove::coalesced_ptr<const Fields<F>>(reinterpret_cast<const Fields<F>*>(x))[i];
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = r.field[j];
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
                                   [](long long i, int fields, int n) { return i % n * fields + i / n; });
}
