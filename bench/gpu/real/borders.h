// For stencil1d_clamp.cu, stencil1d_mirror.cu and stencil1d_zero.cu: y[i] = x[i - P / 2] + … + x[i + P / 2], where
// Border::at brings an index back into [0, n), or leaves it outside where x goes on with zeros.
#pragma once

#include "race.h"

template <class Border>
__host__ __device__ float element(const float* x, int i, int n) {
  const int at = Border::at(i, n);
  return at >= 0 && at < n ? x[at] : 0;
}

template <int P, class Border>
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float out = 0;
#pragma unroll
  for (int k = 0; k < P; k++) out += element<Border>(x, i + k - P / 2, n);
  y[i] = out;
}

// 1024 outputs a block of 256 threads.
template <int P, class Border>
__global__ void shared_memory(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float tile[1024 + P - 1];
  const int first = blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024 + P - 1; i += 256)
    if (first + i < n + P - 1) tile[i] = element<Border>(x, first + i - P / 2, n);
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; j++) {
    const int i = j * 256 + threadIdx.x;
    float out = 0;
#pragma unroll
    for (int k = 0; k < P; k++) out += tile[i + k];
    if (first + i < n) y[first + i] = out;
  }
}

// Four outputs a thread, whose windows each thread loads for itself.
template <int P, class Border>
__global__ void vectors(const float* __restrict__ x, float* __restrict__ y, int n) {
  constexpr int kBefore = (P / 2 + 3) / 4 * 4;
  const int i = 4 * (blockIdx.x * 256 + threadIdx.x);
  if (i >= n) return;
  __align__(16) float window[kBefore + 4 + kBefore], out[4] = {};
  if (i >= kBefore && i + 4 + kBefore <= n) {
#pragma unroll
    for (int q = 0; q < kBefore + 4 + kBefore; q += 4)
      *reinterpret_cast<float4*>(&window[q]) = *reinterpret_cast<const float4*>(&x[i + q - kBefore]);
  } else {
#pragma unroll
    for (int e = kBefore - P / 2; e < kBefore + 4 + P / 2; e++)
      window[e] = i + e - kBefore < n + P / 2 ? element<Border>(x, i + e - kBefore, n) : 0;
  }
#pragma unroll
  for (int k = 0; k < P; k++)
#pragma unroll
    for (int j = 0; j < 4; j++) out[j] += window[kBefore - P / 2 + j + k];
  if (i + 4 <= n) {
    *reinterpret_cast<float4*>(&y[i]) = *reinterpret_cast<float4*>(out);
  } else {
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (i + j < n) y[i + j] = out[j];
  }
}

template <class Synthesized, class Border>
int compete_with() {
  constexpr int P = Synthesized::kPoints, n = (1 << 27) - 5;
  float* const x = swizzle_race::filled<float>(n);
  float* const y = swizzle_race::filled<float>(n);
  const std::vector<float> data = swizzle_race::to_host(x, n);
  const int wrong =
      swizzle_race::race(Synthesized::kName, x, y, n,
                         {{"naive", [=] { naive<P, Border><<<(n + 255) / 256, 256>>>(x, y, n); }},
                          {"shared memory", [=] { shared_memory<P, Border><<<(n + 1023) / 1024, 256>>>(x, y, n); }},
                          {"vectors", [=] { vectors<P, Border><<<(n + 1023) / 1024, 256>>>(x, y, n); }},
                          {"synthesized", [=] { Synthesized::launch(x, y, n); }}},
                         [&](long long i) {
                           double out = 0;
                           for (int k = 0; k < P; k++) out += element<Border>(data.data(), (int)i + k - P / 2, n);
                           return (float)out;
                         });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}
