// Times a kernel on the GPU that is there, next to a copy that moves as many bytes, or launches it once.
//
// measure() prints one line of fields apart by tabs: size, median and least milliseconds, bytes of all buffers,
// milliseconds of the copy, GPU. The copy reads and writes half of these bytes each, 16 at a time. Medians of 21, after
// 5 launches that are not counted.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <vector>

namespace swizzle_timing {

constexpr int kWarmUp = 5;
constexpr int kRuns = 21;

struct Buffer {
  const char* name;
  long long bytes;
  bool is_const;
  bool is_real;
};

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  exit(1);
}

// Random words; reals get an exponent that keeps them in [1, 2) as float and finite as double.
__global__ void fill(unsigned* words, long long count, bool is_real) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    unsigned long long x = (unsigned long long)i + 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    const unsigned word = (unsigned)(x >> 32);
    words[i] = is_real ? (word & 0x7fffffu) | 0x3f800000u : word;
  }
}

__global__ void copy(const uint4* from, uint4* to, long long count) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

inline void* filled(long long bytes, bool is_real) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, (bytes + 15) / 16 * 16));
  fill<<<1024, 256>>>(static_cast<unsigned*>(memory), (bytes + 15) / 16 * 4, is_real);
  check(cudaGetLastError());
  return memory;
}

template <typename Launch>
std::vector<float> sorted_ms(Launch launch) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> all;
  for (int run = -kWarmUp; run < kRuns; ++run) {
    check(cudaEventRecord(begin));
    launch();
    check(cudaGetLastError());
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    if (run >= 0) all.push_back(ms);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// One launch, for a profiler to count in.
inline int launch_once(const Buffer* buffers, int count, void (*launch)(void* const*)) {
  std::vector<void*> memory;
  for (int b = 0; b < count; ++b) memory.push_back(filled(buffers[b].bytes, buffers[b].is_real));
  launch(memory.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  return 0;
}

inline int measure(const char* size, const Buffer* buffers, int count, void (*launch)(void* const*)) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  std::vector<void*> memory;
  long long bytes = 0;
  for (int b = 0; b < count; ++b) {
    memory.push_back(filled(buffers[b].bytes, buffers[b].is_real));
    bytes += buffers[b].bytes;
  }
  const std::vector<float> kernel = sorted_ms([&] { launch(memory.data()); });
  for (void* m : memory) check(cudaFree(m));

  const long long copied = bytes / 2 / 16;
  void* const from = filled(copied * 16, false);
  void* const to = filled(copied * 16, false);
  const std::vector<float> copying = sorted_ms([&] {
    copy<<<(unsigned)((copied + 255) / 256), 256>>>(static_cast<const uint4*>(from), static_cast<uint4*>(to), copied);
  });
  printf("%s\t%.4f\t%.4f\t%lld\t%.4f\t%s\n", size, kernel[kRuns / 2], kernel[0], bytes, copying[kRuns / 2],
         properties.name);
  return 0;
}

}  // namespace swizzle_timing
