// For transpose_in_place*.cu: a square matrix of n rows of n elements of T.
#pragma once

#include "race.h"

template <class T>
__global__ void naive(T* x, int n) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r >= n || c >= r) return;
  const T kept = x[r * n + c];
  x[r * n + c] = x[c * n + r];
  x[c * n + r] = kept;
}

// Two tiles of 32 x 32 that change places, a column of padding, 32 x 8 threads.
template <class T>
__global__ void shared_memory(T* x, int n) {
  constexpr int kPitch = 32 + (sizeof(T) < 4 ? 4 / sizeof(T) : 1);
  __shared__ T above[32][kPitch], below[32][kPitch];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32, c = threadIdx.x;
  if (left < top) return;
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8) {
    if (top + j < n && left + c < n) above[j][c] = x[(top + j) * n + left + c];
    if (left + j < n && top + c < n) below[j][c] = x[(left + j) * n + top + c];
  }
  __syncthreads();
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8) {
    if (left + j < n && top + c < n) x[(left + j) * n + top + c] = above[c][j];
    if (top + j < n && left + c < n) x[(top + j) * n + left + c] = below[c][j];
  }
}

template <class Synthesized, class T>
int compete_at(int n) {
  const int count = n * n;
  T* const x = swizzle_race::filled<T>(count);
  T* const y = swizzle_race::filled<T>(count);
  const std::vector<T> data = swizzle_race::to_host(x, count);
  const auto before = [=] { swizzle_race::check(cudaMemcpy(y, x, sizeof(T) * count, cudaMemcpyDeviceToDevice)); };
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, count,
      {{"naive", [=] { naive<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(y, n); }, before},
       {"shared memory", [=] { shared_memory<<<dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)>>>(y, n); }, before},
       {"synthesized", [=] { Synthesized::launch(y, n); }, before}},
      [&](long long i) { return data[i % n * n + i / n]; });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}
