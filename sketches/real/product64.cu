// Products of polynomials over GF(2) of 64 coefficients, bit-sliced: one word holds the same coefficient of 32
// polynomials. Eight lanes share a product: a lane keeps 8 coefficients of each operand in a row and answers for 16 of the
// product. In round k the lanes have block k of a, and blocks of b that turn; a block of sums is complete once it has met
// the first block of b, and the other half of the product begins.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + 31) / 32) block(256)
#pragma swizzle instance n = 1
#pragma swizzle check n = 35

__global__ void __launch_bounds__(256)
product64(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c, int n) {
  const int lane = threadIdx.x % 8;
  const int p = (blockIdx.x * 256 + threadIdx.x) / 8;
  const int from = 64 * p + 8 * lane, to = 128 * p + 8 * lane;

  __align__(16) unsigned rA[8] = {}, rB[8] = {}, low[8] = {}, sum[8] = {};
  if (p < n) {
#pragma unroll
    for (int q = 0; q < 8; q += 4) {
      *reinterpret_cast<uint4*>(&rA[q]) = *reinterpret_cast<const uint4*>(&a[from + q]);
      *reinterpret_cast<uint4*>(&rB[q]) = *reinterpret_cast<const uint4*>(&b[from + q]);
    }
  }
  unsigned window[16];
#pragma unroll
  for (int q = 0; q < 8; q++) window[8 + q] = rB[q];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    unsigned factor[8];
#pragma unroll
    for (int q = 0; q < 8; q++) {
      factor[q] = __shfl_sync(FULL_MASK, rA[q], ?sw_xform(lane, 8, k), 8);
      window[q] = __shfl_sync(FULL_MASK, rB[q], ?sw_xform(lane, 8, k), 8);
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
      for (int q = 0; q <= i; q++) sum[i] ^= factor[q] & window[8 + i - q];
    const bool complete = ?sw_cond(lane, k);
#pragma unroll
    for (int i = 0; i < 8; i++) low[i] = complete ? sum[i] : low[i];
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
      for (int q = i + 1; q < 8; q++) sum[i] ^= factor[q] & window[8 + i - q];
#pragma unroll
    for (int q = 0; q < 8; q++) window[8 + q] = window[q];
  }
#pragma unroll
  for (int i = 0; i < 8; i++) sum[i] ^= low[i];
  if (p >= n) return;
#pragma unroll
  for (int q = 0; q < 8; q += 4) {
    *reinterpret_cast<uint4*>(&c[to + q]) = *reinterpret_cast<const uint4*>(&low[q]);
    *reinterpret_cast<uint4*>(&c[to + 64 + q]) = *reinterpret_cast<const uint4*>(&sum[q]);
  }
}
