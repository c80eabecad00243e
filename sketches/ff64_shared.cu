// Products of polynomials over GF(2), 64 bit-sliced coefficients each, as in ff64.cu, with the operands in shared memory.
#pragma swizzle launch grid(n / 2) block(32, 2)
#pragma swizzle instance n = 2
#pragma swizzle check n = 4
#pragma swizzle check n = 16

__global__ void ff64_shared(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  __shared__ unsigned sA[2][64], sB[2][64];
  const int lane = threadIdx.x;
  const int warp = threadIdx.y;
  const int product = blockIdx.x * 2 + warp;
  for (int i = lane; i < 64; i += 32) {
    sA[warp][i] = a[product * 64 + i];
    sB[warp][i] = b[product * 64 + i];
  }
  __syncwarp();

  auto c0 = create_accumulator(0u, identity, bit_xor, bit_and);
  auto c1 = create_accumulator(0u, identity, bit_xor, bit_and);
  auto c2 = create_accumulator(0u, identity, bit_xor, bit_and);
  auto c3 = create_accumulator(0u, identity, bit_xor, bit_and);
  for (int k = 0; k < 32; k++) {
    const unsigned a0 = sA[warp][?sw_xform(lane, 64, k)];
    const unsigned a1 = sA[warp][?sw_xform(lane, 64, k)];
    const unsigned b0 = sB[warp][?sw_xform(lane, 64, k)];
    const unsigned b1 = sB[warp][?sw_xform(lane, 64, k)];

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
  c[product * 128 + lane] = eval(c0);
  c[product * 128 + 32 + lane] = eval(c1);
  c[product * 128 + 64 + lane] = eval(c2);
  c[product * 128 + 96 + lane] = eval(c3);
}
