// Products of polynomials over GF(2), 32 coefficients each, bit-sliced: one word holds the same coefficient of 32
// polynomials. A warp multiplies a by b from registers, one coefficient a lane; lane t answers for c[t] and c[t + 32].
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 2) block(64)
#pragma swizzle instance n = 2
#pragma swizzle check n = 4
#pragma swizzle check n = 16

__global__ void ff32(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned rA = a[warp * 32 + lane];
  const unsigned rB = b[warp * 32 + lane];

  unsigned low = 0, high = 0;
  for (int k = 0; k < 32; k++) {
    const unsigned ak = __shfl_sync(FULL_MASK, rA, ?sw_xform(lane, 32, k));
    const unsigned bk = __shfl_sync(FULL_MASK, rB, ?sw_xform(lane, 32, k));
    if (?sw_cond(lane, k)) low ^= ak & bk;
    if (?sw_cond(lane, k)) high ^= ak & bk;
  }
  c[warp * 64 + lane] = low;
  c[warp * 64 + 32 + lane] = high;
}
