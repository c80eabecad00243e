// Products of polynomials over GF(2), 64 bit-sliced coefficients each, as in ff64.cu, by three products of halves instead
// of four (Karatsuba and Ofman 1962): what the product of the sums has too much is taken away again. What the lanes
// fetch, and when each of the six accumulators takes its product, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 2) block(64)
#pragma swizzle instance n = 2
#pragma swizzle check n = 4
#pragma swizzle check n = 16

__global__ void ff64_karatsuba(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned low_a = a[warp * 64 + lane], high_a = a[warp * 64 + 32 + lane];
  const unsigned low_b = b[warp * 64 + lane], high_b = b[warp * 64 + 32 + lane];

  unsigned low0 = 0, low1 = 0, sums0 = 0, sums1 = 0, high0 = 0, high1 = 0;
  for (int k = 0; k < 32; k++) {
    const unsigned a0 = __shfl_sync(FULL_MASK, low_a, ?sw_xform(lane, 32, k));
    const unsigned a1 = __shfl_sync(FULL_MASK, high_a, ?sw_xform(lane, 32, k));
    const unsigned b0 = __shfl_sync(FULL_MASK, low_b, ?sw_xform(lane, 32, k));
    const unsigned b1 = __shfl_sync(FULL_MASK, high_b, ?sw_xform(lane, 32, k));
    const unsigned low = a0 & b0, sums = (a0 ^ a1) & (b0 ^ b1), high = a1 & b1;
    if (?sw_cond(lane, k)) low0 ^= low;
    if (?sw_cond(lane, k)) low1 ^= low;
    if (?sw_cond(lane, k)) sums0 ^= sums;
    if (?sw_cond(lane, k)) sums1 ^= sums;
    if (?sw_cond(lane, k)) high0 ^= high;
    if (?sw_cond(lane, k)) high1 ^= high;
  }
  c[warp * 128 + lane] = low0;
  c[warp * 128 + 32 + lane] = low1 ^ sums0 ^ low0 ^ high0;
  c[warp * 128 + 64 + lane] = high0 ^ sums1 ^ low1 ^ high1;
  c[warp * 128 + 96 + lane] = high1;
}
