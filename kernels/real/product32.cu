// Completed by swizzle-synth 0.1.0 from product.cu
// spec: product.cpp
//   sw_xform at 37:49 = k
//   sw_xform at 38:49 = (lane - k - 1) & 3
//   sw_cond at 44:27 = lane == k
// cost of a warp: 1400 (shuffles 64, accumulates 520, shared wavefronts 0, loads 0.5, integer operations 100), proved minimal
// equal to the spec for every input at n=1

// Products of polynomials over GF(2) of kDegree coefficients, bit-sliced: one word holds the same coefficient of 32
// polynomials. kLanes lanes share a product: a lane keeps kOwn coefficients of each operand in a row and answers for twice as
// many of the product. In round k the lanes have block k of a, and blocks of b that turn; a block of sums is complete once it has met
// the first block of b, and the other half of the product begins.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + 256 / kLanes - 1) / (256 / kLanes)) block(256)
// swizzle instance n = 1
// swizzle check n = 256 / kLanes + 3

constexpr int kDegree = 32;
constexpr int kOwn = 8;
constexpr int kLanes = kDegree / kOwn;

__global__ void __launch_bounds__(256)
product(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c, int n) {
  const int lane = threadIdx.x % kLanes;
  const int p = (blockIdx.x * 256 + threadIdx.x) / kLanes;
  const int from = kDegree * p + kOwn * lane, to = 2 * kDegree * p + kOwn * lane;

  __align__(16) unsigned rA[kOwn] = {}, rB[kOwn] = {}, low[kOwn] = {}, sum[kOwn] = {};
  if (p < n) {
#pragma unroll
    for (int q = 0; q < kOwn; q += 4) {
      *reinterpret_cast<uint4*>(&rA[q]) = *reinterpret_cast<const uint4*>(&a[from + q]);
      *reinterpret_cast<uint4*>(&rB[q]) = *reinterpret_cast<const uint4*>(&b[from + q]);
    }
  }
  unsigned window[2 * kOwn];
#pragma unroll
  for (int q = 0; q < kOwn; q++) window[kOwn + q] = rB[q];
#pragma unroll
  for (int k = 0; k < kLanes; k++) {
    unsigned factor[kOwn];
#pragma unroll
    for (int q = 0; q < kOwn; q++) {
      factor[q] = __shfl_sync(FULL_MASK, rA[q], k, kLanes);
      window[q] = __shfl_sync(FULL_MASK, rB[q], (lane - k - 1) & 3, kLanes);
    }
#pragma unroll
    for (int i = 0; i < kOwn; i++)
#pragma unroll
      for (int q = 0; q <= i; q++) sum[i] ^= factor[q] & window[kOwn + i - q];
    const bool complete = lane == k;
#pragma unroll
    for (int i = 0; i < kOwn; i++) low[i] = complete ? sum[i] : low[i];
#pragma unroll
    for (int i = 0; i < kOwn; i++)
#pragma unroll
      for (int q = i + 1; q < kOwn; q++) sum[i] ^= factor[q] & window[kOwn + i - q];
#pragma unroll
    for (int q = 0; q < kOwn; q++) window[kOwn + q] = window[q];
  }
#pragma unroll
  for (int i = 0; i < kOwn; i++) sum[i] ^= low[i];
  if (p >= n) return;
#pragma unroll
  for (int q = 0; q < kOwn; q += 4) {
    *reinterpret_cast<uint4*>(&c[to + q]) = *reinterpret_cast<const uint4*>(&low[q]);
    *reinterpret_cast<uint4*>(&c[to + kDegree + q]) = *reinterpret_cast<const uint4*>(&sum[q]);
  }
}
