// A 64x64 tile of halves: 16x16 fragments go in by stmatrix, and rows of 128 bits come out.
#include <cuda_fp16.h>

#pragma swizzle launch grid(n / 4096) block(128)
#pragma swizzle instance n = 4096

__device__ __forceinline__ void store_fragment(half* row, uint4 r) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" :: "r"(address), "r"(r.x), "r"(r.y), "r"(r.z), "r"(r.w) : "memory");
}

__global__ void rows(const half* x, half* y, int n) {
  auto L = ?sw_layout(64, 64);
  __shared__ __align__(16) half tile[64 * 64];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 4096;
  for (int j = 0; j < 4; j++) {
    const int r = warp * 16 + lane % 16, c = j * 16 + lane / 16 * 8;
    store_fragment(&tile[L(r, c)], *reinterpret_cast<const uint4*>(&x[base + ((warp * 4 + j) * 32 + lane) * 8]));
  }
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    const int r = i * 16 + t / 8, c = t % 8 * 8;
    *reinterpret_cast<uint4*>(&y[base + r * 64 + c]) = *reinterpret_cast<const uint4*>(&tile[L(r, c)]);
  }
}
