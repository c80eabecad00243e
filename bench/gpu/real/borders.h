// For stencil1d_clamp.cu and stencil1d_mirror.cu: y[i] = x[i - P / 2] + … + x[i + P / 2], indices brought back into
// [0, n) by Border.
#pragma once

#include "race.h"

template <int P, class Border>
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float out = 0;
#pragma unroll
  for (int k = 0; k < P; k++) out += x[Border::at(i + k - P / 2, n)];
  y[i] = out;
}

// 1024 outputs a block of 256 threads.
template <int P, class Border>
__global__ void shared_memory(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float tile[1024 + P - 1];
  const int first = blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024 + P - 1; i += 256)
    if (first + i < n + P - 1) tile[i] = x[Border::at(first + i - P / 2, n)];
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

// Four outputs a thread, whose windows of twelve each thread loads for itself.
template <int P, class Border>
__global__ void vectors(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = 4 * (blockIdx.x * 256 + threadIdx.x);
  if (i >= n) return;
  __align__(16) float window[12], out[4] = {};
  if (i >= 4 && i + 8 <= n) {
#pragma unroll
    for (int q = 0; q < 12; q += 4)
      *reinterpret_cast<float4*>(&window[q]) = *reinterpret_cast<const float4*>(&x[i + q - 4]);
  } else {
#pragma unroll
    for (int e = 4 - P / 2; e < 8 + P / 2; e++) window[e] = i + e - 4 < n + P / 2 ? x[Border::at(i + e - 4, n)] : 0;
  }
#pragma unroll
  for (int k = 0; k < P; k++)
#pragma unroll
    for (int j = 0; j < 4; j++) out[j] += window[4 - P / 2 + j + k];
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
                           for (int k = 0; k < P; k++) out += data[Border::at((int)i + k - P / 2, n)];
                           return (float)out;
                         });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}
