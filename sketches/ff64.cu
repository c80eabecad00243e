// Products of polynomials over GF(2), 64 coefficients each, bit-sliced: one word holds the same coefficient of 32
// polynomials. A lane keeps two coefficients of each operand, lane and lane + 32, and answers for four of the product.
// Each of the four partial products is offered to each accumulator; which take it, and when, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 2) block(64)
#pragma swizzle instance n = 2
#pragma swizzle check n = 4
#pragma swizzle check n = 16

__global__ void ff64(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  auto rA = load(a, warp * 64, 1, 2);
  auto rB = load(b, warp * 64, 1, 2);

  auto c0 = create_accumulator(0u, identity, bit_xor, bit_and);
  auto c1 = create_accumulator(0u, identity, bit_xor, bit_and);
  auto c2 = create_accumulator(0u, identity, bit_xor, bit_and);
  auto c3 = create_accumulator(0u, identity, bit_xor, bit_and);
  for (int k = 0; k < 32; k++) {
    const unsigned a0 = __shfl_sync(FULL_MASK, rA[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
    const unsigned a1 = __shfl_sync(FULL_MASK, rA[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
    const unsigned b0 = __shfl_sync(FULL_MASK, rB[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
    const unsigned b1 = __shfl_sync(FULL_MASK, rB[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));

    accumulate(c0, {a0, b0}, ?sw_cond(lane, k));
    accumulate(c1, {a0, b0}, ?sw_cond(lane, k));
    accumulate(c2, {a0, b0}, ?sw_cond(lane, k));
    accumulate(c3, {a0, b0}, ?sw_cond(lane, k));

    accumulate(c0, {a0, b1}, ?sw_cond(lane, k));
    accumulate(c1, {a0, b1}, ?sw_cond(lane, k));
    accumulate(c2, {a0, b1}, ?sw_cond(lane, k));
    accumulate(c3, {a0, b1}, ?sw_cond(lane, k));

    accumulate(c0, {a1, b0}, ?sw_cond(lane, k));
    accumulate(c1, {a1, b0}, ?sw_cond(lane, k));
    accumulate(c2, {a1, b0}, ?sw_cond(lane, k));
    accumulate(c3, {a1, b0}, ?sw_cond(lane, k));

    accumulate(c0, {a1, b1}, ?sw_cond(lane, k));
    accumulate(c1, {a1, b1}, ?sw_cond(lane, k));
    accumulate(c2, {a1, b1}, ?sw_cond(lane, k));
    accumulate(c3, {a1, b1}, ?sw_cond(lane, k));
  }
  c[warp * 128 + lane] = eval(c0);
  c[warp * 128 + 32 + lane] = eval(c1);
  c[warp * 128 + 64 + lane] = eval(c2);
  c[warp * 128 + 96 + lane] = eval(c3);
}
