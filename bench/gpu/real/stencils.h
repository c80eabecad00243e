// For stencil1d*.cu: y[i] = x[i] + … + x[i + P - 1] for i < n.
#pragma once

#include "race.h"

template <class T, int P>
__global__ void naive(const T* __restrict__ x, T* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T out = 0;
  for (int k = 0; k < P; k++) out += x[i + k];
  y[i] = out;
}

// 1024 outputs a block of 256 threads.
template <class T, int P>
__global__ void shared_memory(const T* __restrict__ x, T* __restrict__ y, int n) {
  __shared__ T tile[1024 + P - 1];
  const int first = blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024 + P - 1; i += 256)
    if (first + i < n + P - 1) tile[i] = x[first + i];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; j++) {
    const int i = j * 256 + threadIdx.x;
    T out = 0;
#pragma unroll
    for (int k = 0; k < P; k++) out += tile[i + k];
    if (first + i < n) y[first + i] = out;
  }
}

// A register cache as papers have it: one output a lane, two registers that 32 lanes share.
template <class T, int P>
__global__ void register_cache(const T* __restrict__ x, T* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  const T own = i < n + P - 1 ? x[i] : 0, next = lane < P - 1 && i + 32 < n + P - 1 ? x[i + 32] : 0;
  T out = own;
#pragma unroll
  for (int k = 1; k < P; k++) out += __shfl_sync(0xffffffffu, lane < k ? next : own, (lane + k) & 31);
  if (i < n) y[i] = out;
}

// As many outputs a thread as 16 bytes hold, whose windows each thread loads for itself, 16 bytes at a time.
template <class T, int P>
__global__ void vectors(const T* __restrict__ x, T* __restrict__ y, int n) {
  constexpr int kOutputs = 16 / sizeof(T), kVectors = (P + 2 * kOutputs - 2) / kOutputs;
  const int i = kOutputs * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  __align__(16) T window[kOutputs * kVectors], out[kOutputs] = {};
  if (i + kOutputs * kVectors <= n + P - 1) {
#pragma unroll
    for (int q = 0; q < kVectors; q++)
      *reinterpret_cast<uint4*>(&window[kOutputs * q]) = *reinterpret_cast<const uint4*>(&x[i + kOutputs * q]);
  } else {
#pragma unroll
    for (int e = 0; e < kOutputs * kVectors; e++) window[e] = i + e < n + P - 1 ? x[i + e] : 0;
  }
#pragma unroll
  for (int k = 0; k < P; k++)
#pragma unroll
    for (int j = 0; j < kOutputs; j++) out[j] += window[j + k];
  if (i + kOutputs <= n) {
    *reinterpret_cast<uint4*>(&y[i]) = *reinterpret_cast<uint4*>(out);
  } else {
#pragma unroll
    for (int j = 0; j < kOutputs; j++)
      if (i + j < n) y[i + j] = out[j];
  }
}

// 2^29 bytes, less a few elements.
template <class Synthesized, class T>
int compete_of() {
  constexpr int P = Synthesized::kPoints, n = (1 << 29) / sizeof(T) - 5, kThread = 16 / sizeof(T);
  T* const x = swizzle_race::filled<T>(n + P - 1);
  T* const y = swizzle_race::filled<T>(n);
  const std::vector<T> data = swizzle_race::to_host(x, n + P - 1);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, n,
      {{"naive", [=] { naive<T, P><<<(n + 255) / 256, 256>>>(x, y, n); }},
       {"shared memory", [=] { shared_memory<T, P><<<(n + 1023) / 1024, 256>>>(x, y, n); }},
       {"register cache", [=] { register_cache<T, P><<<(n + 255) / 256, 256>>>(x, y, n); }},
       {"vectors", [=] { vectors<T, P><<<(n + 256 * kThread - 1) / (256 * kThread), 256>>>(x, y, n); }},
       {"synthesized", [=] { Synthesized::launch(x, y, n); }}},
      [&](long long i) {
        std::conditional_t<std::is_integral_v<T>, unsigned, double> out = 0;
        for (int k = 0; k < P; k++) out += data[i + k];
        return (T)out;
      });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}
