// For transpose_batched*.cu: m matrices of h rows of w elements of T, one after the other.
#pragma once

#include "race.h"

template <class T>
__global__ void naive(const T* __restrict__ x, T* __restrict__ y, int w, int h) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, matrix = blockIdx.z * w * h;
  if (r < h && c < w) y[matrix + c * h + r] = x[matrix + r * w + c];
}

// By tiles of 32 x 32, a column of padding, 32 x 8 threads.
template <class T>
__global__ void shared_memory(const T* __restrict__ x, T* __restrict__ y, int w, int h) {
  __shared__ T tile[32][32 + (sizeof(T) < 4 ? 4 / sizeof(T) : 1)];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32, matrix = blockIdx.z * w * h;
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8)
    if (top + j < h && left + threadIdx.x < w) tile[j][threadIdx.x] = x[matrix + (top + j) * w + left + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8)
    if (left + j < w && top + threadIdx.x < h) y[matrix + (left + j) * h + top + threadIdx.x] = tile[threadIdx.x][j];
}

template <class Synthesized, class T>
int compete_at(int w, int h, int m) {
  const int count = w * h * m;
  T* const x = swizzle_race::filled<T>(count);
  T* const y = swizzle_race::filled<T>(count);
  const std::vector<T> data = swizzle_race::to_host(x, count);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, count,
      {{"naive", [=] { naive<<<dim3((w + 31) / 32, (h + 7) / 8, m), dim3(32, 8)>>>(x, y, w, h); }},
       {"shared memory", [=] { shared_memory<<<dim3((w + 31) / 32, (h + 31) / 32, m), dim3(32, 8)>>>(x, y, w, h); }},
       {"synthesized", [=] { Synthesized::launch(x, y, w, h, m); }}},
      [&](long long i) {
        const long long matrix = i / (w * h) * (w * h), at = i % (w * h);
        return data[matrix + at % h * w + at / h];
      });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}
