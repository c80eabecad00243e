// Products of polynomials with 32 integer coefficients each, added up in 64 bits: what a lane fetches, and which of its
// two sums takes each product, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 2) block(64)
#pragma swizzle instance n = 2
#pragma swizzle check n = 6

__global__ void wide_product32(const int* a, const int* b, long long* c, int n) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int x = a[warp * 32 + lane], y = b[warp * 32 + lane];
  long long low = 0, high = 0;
  for (int k = 0; k < 32; k++) {
    const int p = __shfl_sync(FULL_MASK, x, ?sw_xform(lane, 32, k));
    const int q = __shfl_sync(FULL_MASK, y, ?sw_xform(lane, 32, k));
    const long long product = (long long)p * q;
    if (?sw_cond(lane, k)) low += product;
    if (?sw_cond(lane, k)) high += product;
  }
  c[warp * 64 + lane] = low;
  c[warp * 64 + 32 + lane] = high;
}
