// Products of polynomials over GF(2), 128 coefficients each, bit-sliced: a lane keeps four coefficients of each operand,
// 32 apart, and 8 of the product. Column j of partial products, a[i]·b[j] for all i, is offered to the accumulators
// i, i + 1, … i + 4, each under a condition of its own.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n) block(32)
#pragma swizzle instance n = 1
#pragma swizzle check n = 2
#pragma swizzle check n = 4

__global__ void ff128(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int lane = threadIdx.x;
  const int product = blockIdx.x;
  auto rA = load(a, product * 128, 1, 4);
  auto rB = load(b, product * 128, 1, 4);

  unsigned out[8] = {};
  for (int k = 0; k < 32; k++) {
    const int from_a = ?sw_xform(lane, 32, k);
    const int from_b = ?sw_xform(lane, 32, k);
    const unsigned b0 = __shfl_sync(FULL_MASK, rB[?sw_part(2, lane, k)], from_b);
    const unsigned b1 = __shfl_sync(FULL_MASK, rB[(1 + ?sw_part(2, lane, k)) % 4], from_b);
    const unsigned b2 = __shfl_sync(FULL_MASK, rB[(2 + ?sw_part(2, lane, k)) % 4], from_b);
    const unsigned b3 = __shfl_sync(FULL_MASK, rB[(3 + ?sw_part(2, lane, k)) % 4], from_b);
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const unsigned ai = __shfl_sync(FULL_MASK, rA[i], from_a);
      if (?sw_cond(lane, k)) out[i] ^= ai & b0;
      if (?sw_cond(lane, k)) out[i + 1] ^= ai & b0;
      if (?sw_cond(lane, k)) out[i + 2] ^= ai & b0;
      if (?sw_cond(lane, k)) out[i + 3] ^= ai & b0;
      if (?sw_cond(lane, k)) out[i + 4] ^= ai & b0;

      if (?sw_cond(lane, k)) out[i] ^= ai & b1;
      if (?sw_cond(lane, k)) out[i + 1] ^= ai & b1;
      if (?sw_cond(lane, k)) out[i + 2] ^= ai & b1;
      if (?sw_cond(lane, k)) out[i + 3] ^= ai & b1;
      if (?sw_cond(lane, k)) out[i + 4] ^= ai & b1;

      if (?sw_cond(lane, k)) out[i] ^= ai & b2;
      if (?sw_cond(lane, k)) out[i + 1] ^= ai & b2;
      if (?sw_cond(lane, k)) out[i + 2] ^= ai & b2;
      if (?sw_cond(lane, k)) out[i + 3] ^= ai & b2;
      if (?sw_cond(lane, k)) out[i + 4] ^= ai & b2;

      if (?sw_cond(lane, k)) out[i] ^= ai & b3;
      if (?sw_cond(lane, k)) out[i + 1] ^= ai & b3;
      if (?sw_cond(lane, k)) out[i + 2] ^= ai & b3;
      if (?sw_cond(lane, k)) out[i + 3] ^= ai & b3;
      if (?sw_cond(lane, k)) out[i + 4] ^= ai & b3;
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++) c[product * 256 + 32 * i + lane] = out[i];
}
