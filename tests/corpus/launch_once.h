// Launches a kernel once, with buffers for its pointers and given numbers for its numbers: see counters.py.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace launch_once {

constexpr size_t kBufferBytes = size_t{32} << 20;

inline void need(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Zeros: in range wherever an index is read.
template <class P>
P argument(double number) {
  if constexpr (std::is_pointer_v<P>) {
    static_cast<void>(number);
    void* buffer = nullptr;
    need(cudaMalloc(&buffer, kBufferBytes), "cudaMalloc");
    need(cudaMemset(buffer, 0, kBufferBytes), "cudaMemset");
    return reinterpret_cast<P>(buffer);
  } else if constexpr (std::is_arithmetic_v<P> || std::is_enum_v<P>) {
    return static_cast<P>(number);
  } else {
    static_cast<void>(number);
    alignas(P) static unsigned char zeros[sizeof(P)];
    return *reinterpret_cast<P*>(zeros);
  }
}

// All dynamic shared memory that there is: what `extern __shared__` arrays need, nobody tells.
template <class Kernel>
int dynamic_shared_bytes(Kernel kernel) {
  int most = 0;
  cudaFuncAttributes of_kernel{};
  need(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "cudaDeviceGetAttribute");
  need(cudaFuncGetAttributes(&of_kernel, kernel), "cudaFuncGetAttributes");
  const int left = most - static_cast<int>(of_kernel.sharedSizeBytes);
  need(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, left), "cudaFuncSetAttribute");
  return left;
}

template <class... P, size_t... I>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, const double* numbers, std::index_sequence<I...>) {
  kernel<<<grid, block, dynamic_shared_bytes(kernel)>>>(argument<P>(numbers[I])...);
  need(cudaGetLastError(), "launch");
  need(cudaDeviceSynchronize(), "kernel");
}

// numbers: one for each parameter, whatever its type.
template <class... P>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, const double* numbers) {
  launch(kernel, grid, block, numbers, std::index_sequence_for<P...>{});
}

}  // namespace launch_once
