// A 64x64 tile of halves: 128-bit stores by rows, then 16x16 fragments of it and of its transpose, by ldmatrix.
#include <cuda_fp16.h>

#pragma swizzle launch grid(n / 4096) block(128)
#pragma swizzle instance n = 4096
#pragma swizzle check n = 8192

__device__ __forceinline__ void load_fragment(unsigned (&r)[4], const half* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}

__device__ __forceinline__ void load_transposed(unsigned (&r)[4], const half* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}

__global__ void fragments(const half* x, half* y, half* z, int n) {
  auto L = ?sw_layout(64, 64);
  __shared__ __align__(16) half tile[64 * 64];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 4096;
  for (int i = 0; i < 4; i++) {
    const int r = i * 16 + t / 8, c = t % 8 * 8;
    *reinterpret_cast<uint4*>(&tile[L(r, c)]) = *reinterpret_cast<const uint4*>(&x[base + r * 64 + c]);
  }
  __syncthreads();
  const int r = lane % 16, c = lane / 16 * 8;
  for (int j = 0; j < 4; j++) {
    const int at = base + ((warp * 4 + j) * 32 + lane) * 8;
    unsigned a[4], b[4];
    load_fragment(a, &tile[L(warp * 16 + r, j * 16 + c)]);
    load_transposed(b, &tile[L(j * 16 + r, warp * 16 + c)]);
    *reinterpret_cast<uint4*>(&y[at]) = make_uint4(a[0], a[1], a[2], a[3]);
    *reinterpret_cast<uint4*>(&z[at]) = make_uint4(b[0], b[1], b[2], b[3]);
  }
}
