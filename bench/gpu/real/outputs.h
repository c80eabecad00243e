// Inputs and outputs of a race: random data, what the CPU expects, and how many elements differ from it.
#pragma once

#include <cuda_runtime.h>
#include <math.h>

#include <algorithm>
#include <thread>
#include <type_traits>
#include <vector>

#include "timing.h"

namespace swizzle_race {

using swizzle_timing::check;

template <class T>
__device__ bool same(T is, T should) {
  return is == should;
}
// Sums may be reassociated: some rounding errors of one part in 2^24 each.
template <>
__device__ inline bool same(float is, float should) {
  return fabsf(is - should) <= 1e-5f * fabsf(should);
}
template <>
__device__ inline bool same(double is, double should) {
  return fabs(is - should) <= 1e-13 * fabs(should);
}

template <class T>
__global__ void count_different(const T* is, const T* should, long long count, unsigned long long* different) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && !same(is[i], should[i])) atomicAdd(different, 1ull);
}

template <class T>
unsigned long long differences(const T* is, const T* should, long long count) {
  unsigned long long *different, result;
  check(cudaMalloc(&different, sizeof *different));
  check(cudaMemset(different, 0, sizeof *different));
  count_different<<<(unsigned)((count + 255) / 256), 256>>>(is, should, count, different);
  check(cudaMemcpy(&result, different, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(different));
  return result;
}

template <class T>
T* filled(long long count) {
  return static_cast<T*>(swizzle_timing::filled(count * (long long)sizeof(T), std::is_floating_point_v<T>));
}

template <class T>
std::vector<T> to_host(const T* data, long long count) {
  std::vector<T> result(count);
  check(cudaMemcpy(result.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
  return result;
}

// expected(i) for each of `count` outputs, on all cores, on the GPU.
template <class T, class Expected>
T* on_device(long long count, const Expected& expected) {
  std::vector<T> values(count);
  const long long parts = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (long long part = 0; part < parts; ++part)
    threads.emplace_back([&, part] {
      for (long long i = count * part / parts; i < count * (part + 1) / parts; ++i) values[i] = expected(i);
    });
  for (std::thread& thread : threads) thread.join();
  T* result;
  check(cudaMalloc(&result, count * sizeof(T)));
  check(cudaMemcpy(result, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  return result;
}

}  // namespace swizzle_race
