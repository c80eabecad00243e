// Products of polynomials over GF(2^8), 32 coefficients each, a byte each: elements of the field that AES has. A warp
// multiplies a by b from registers, one coefficient a lane; lane t answers for c[t] and c[t + 32].
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 2) block(64)
#pragma swizzle instance n = 2
#pragma swizzle check n = 4
#pragma swizzle check n = 16

// Modulo x^8 + x^4 + x^3 + x + 1.
__device__ unsigned product(unsigned a, unsigned b) {
  unsigned p = 0;
  for (int bit = 0; bit < 8; bit++) {
    if (b >> bit & 1) p ^= a;
    a = a << 1 ^ (a & 128 ? 283 : 0);
  }
  return p;
}

__global__ void ff32_bytes(const unsigned char* a, const unsigned char* b, unsigned char* c, int n) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned rA = a[warp * 32 + lane];
  const unsigned rB = b[warp * 32 + lane];

  unsigned low = 0, high = 0;
  for (int k = 0; k < 32; k++) {
    const unsigned ak = __shfl_sync(FULL_MASK, rA, ?sw_xform(lane, 32, k));
    const unsigned bk = __shfl_sync(FULL_MASK, rB, ?sw_xform(lane, 32, k));
    const unsigned p = product(ak, bk);
    if (?sw_cond(lane, k)) low ^= p;
    if (?sw_cond(lane, k)) high ^= p;
  }
  c[warp * 64 + lane] = low;
  c[warp * 64 + 32 + lane] = high;
}
