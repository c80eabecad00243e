// Two arrays interleaved, y = a0 b0 a1 b1 …: a warp reads 32 elements of each and writes 64, coalesced. Which lane to
// read from and which of the two arrays to keep are open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void interleave2(const float* a, const float* b, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - lane;
  const float even = a[warpOffset + lane];
  const float odd = b[warpOffset + lane];

#pragma unroll
  for (int j = 0; j < 2; j++) {
    const int from = ?sw_xform(lane / 2, 32, j);
    const float of_a = __shfl_sync(FULL_MASK, even, from);
    const float of_b = __shfl_sync(FULL_MASK, odd, from);
    y[2 * warpOffset + 32 * j + lane] = ?sw_cond(lane % 2) ? of_a : of_b;
  }
}
