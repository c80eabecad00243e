// Products of polynomials over GF(2), 32 bit-sliced coefficients each, as in ff32.cu, with the operands in shared memory.
#pragma swizzle launch grid(n / 2) block(32, 2)
#pragma swizzle instance n = 2
#pragma swizzle check n = 4
#pragma swizzle check n = 16

__global__ void ff32_shared(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  __shared__ unsigned sA[2][32], sB[2][32];
  const int lane = threadIdx.x;
  const int warp = threadIdx.y;
  const int product = blockIdx.x * 2 + warp;
  sA[warp][lane] = a[product * 32 + lane];
  sB[warp][lane] = b[product * 32 + lane];
  __syncwarp();

  unsigned low = 0, high = 0;
  for (int k = 0; k < 32; k++) {
    const unsigned ak = sA[warp][?sw_xform(lane, 32, k)];
    const unsigned bk = sB[warp][?sw_xform(lane, 32, k)];
    if (?sw_cond(lane, k)) low ^= ak & bk;
    if (?sw_cond(lane, k)) high ^= ak & bk;
  }
  c[product * 64 + lane] = low;
  c[product * 64 + 32 + lane] = high;
}
