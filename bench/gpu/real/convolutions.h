// For conv2d*.cu: K x K weights, zeros around an image of h rows of w.
#pragma once

#include "race.h"

constexpr int kWidth = 16380, kHeight = 8189;

inline __device__ float pixel(const float* x, int w, int h, int r, int c) {
  return r >= 0 && r < h && c >= 0 && c < w ? x[r * w + c] : 0;
}

template <int K>
__global__ void naive(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int w,
                      int h) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r >= h || c >= w) return;
  float out = 0;
#pragma unroll
  for (int ky = 0; ky < K; ky++)
#pragma unroll
    for (int kx = 0; kx < K; kx++) out += weights[ky * K + kx] * pixel(x, w, h, r + ky - K / 2, c + kx - K / 2);
  y[r * w + c] = out;
}

// 32 x 32 outputs a block of 32 x 8 threads; 4 rows a thread.
template <int K>
__global__ void shared_memory(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y,
                              int w, int h) {
  constexpr int kSide = 32 + K - 1;
  __shared__ float tile[kSide][kSide];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < kSide * kSide; i += 256)
    tile[i / kSide][i % kSide] = pixel(x, w, h, top + i / kSide - K / 2, left + i % kSide - K / 2);
  __syncthreads();
  float out[4] = {};
#pragma unroll
  for (int ky = 0; ky < K; ky++)
#pragma unroll
    for (int kx = 0; kx < K; kx++)
#pragma unroll
      for (int j = 0; j < 4; j++) out[j] += weights[ky * K + kx] * tile[threadIdx.y * 4 + j + ky][threadIdx.x + kx];
#pragma unroll
  for (int j = 0; j < 4; j++) {
    const int r = top + threadIdx.y * 4 + j, c = left + threadIdx.x;
    if (r < h && c < w) y[r * w + c] = out[j];
  }
}

// Four columns of eight rows a thread; each thread loads what it needs for itself, by float4.
template <int K>
__global__ void __launch_bounds__(128)
    float4_loads(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int w, int h) {
  constexpr int R = K / 2, kBefore = (R + 3) / 4, kQuads = 2 * kBefore + 1;
  const int c = blockIdx.x * 128 + 4 * threadIdx.x, top = (blockIdx.y * 4 + threadIdx.y) * 8;
  if (c >= w) return;
  float weight[K * K], out[8][4] = {};
#pragma unroll
  for (int k = 0; k < K * K; k++) weight[k] = weights[k];
#pragma unroll
  for (int r = -R; r < 8 + R; r++) {
    float row[4 * kQuads];
#pragma unroll
    for (int q = 0; q < kQuads; q++) {
      const int at = c + 4 * (q - kBefore);
      const bool inside = top + r >= 0 && top + r < h && at >= 0 && at < w;
      const float4 v = inside ? *reinterpret_cast<const float4*>(&x[(top + r) * w + at]) : make_float4(0, 0, 0, 0);
      row[4 * q] = v.x, row[4 * q + 1] = v.y, row[4 * q + 2] = v.z, row[4 * q + 3] = v.w;
    }
#pragma unroll
    for (int o = r - R; o <= r + R; o++) {
      if (o < 0 || o >= 8) continue;
#pragma unroll
      for (int k = 0; k < K; k++)
#pragma unroll
        for (int e = 0; e < 4; e++) out[o][e] += weight[(r - o + R) * K + k] * row[4 * kBefore - R + k + e];
    }
  }
#pragma unroll
  for (int o = 0; o < 8; o++)
    if (top + o < h)
      *reinterpret_cast<float4*>(&y[(top + o) * w + c]) = make_float4(out[o][0], out[o][1], out[o][2], out[o][3]);
}

template <class Synthesized>
int compete() {
  constexpr int K = Synthesized::kSize, w = kWidth, h = kHeight;
  float* const x = swizzle_race::filled<float>(w * h);
  float* const y = swizzle_race::filled<float>(w * h);
  float* const weights = swizzle_race::filled<float>(K * K);
  const std::vector<float> data = swizzle_race::to_host(x, w * h), weight = swizzle_race::to_host(weights, K * K);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, w * h,
      {{"naive", [=] { naive<K><<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, weights, y, w, h); }},
       {"shared memory",
        [=] { shared_memory<K><<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(x, weights, y, w, h); }},
       {"vectors",
        [=] { float4_loads<K><<<dim3((w + 127) / 128, (h + 31) / 32), dim3(32, 4)>>>(x, weights, y, w, h); }},
       {"synthesized", [=] { Synthesized::launch(x, weights, y, w, h); }}},
      [&](long long i) {
        const int r = (int)(i / w), c = (int)(i % w);
        double out = 0;
        for (int ky = 0; ky < K; ky++)
          for (int kx = 0; kx < K; kx++) {
            const int at_r = r + ky - K / 2, at_c = c + kx - K / 2;
            if (at_r >= 0 && at_r < h && at_c >= 0 && at_c < w)
              out += (double)weight[ky * K + kx] * data[(long long)at_r * w + at_c];
          }
        return (float)out;
      });
  for (float* buffer : {x, y, weights}) swizzle_race::check(cudaFree(buffer));
  return wrong;
}
