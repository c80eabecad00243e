// A 128x32 operand tile of halves, K along its rows: 128-bit stores by rows, then 16x16 fragments by ldmatrix.
#include <cuda_fp16.h>

#pragma swizzle launch grid(n / 4096) block(128)
#pragma swizzle instance n = 4096
#pragma swizzle check n = 8192

__global__ void operand(const half* x, half* y, int n) {
  auto L = ?sw_layout(128, 32);
  __shared__ __align__(16) half tile[128 * 32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 4096;
  for (int i = 0; i < 4; i++) {
    const int r = i * 32 + t / 4, c = t % 4 * 8;
    *reinterpret_cast<uint4*>(&tile[L(r, c)]) = *reinterpret_cast<const uint4*>(&x[base + r * 32 + c]);
  }
  __syncthreads();
  for (int j = 0; j < 4; j++) {
    const int r = warp * 32 + j / 2 * 16 + lane % 16, c = j % 2 * 16 + lane / 16 * 8;
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[L(r, c)]));
    unsigned a[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(address));
    *reinterpret_cast<uint4*>(&y[base + ((warp * 4 + j) * 32 + lane) * 8]) = make_uint4(a[0], a[1], a[2], a[3]);
  }
}
