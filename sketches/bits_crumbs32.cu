// Transposes 32 x 32 matrices of 2-bit elements, a row of two words a lane. One round exchanges whole words, the others
// halves of both words at once.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__global__ void bits_crumbs32(const uint2* x, uint2* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  uint2 r = x[i];
  const int far = 1 << ?sw_const(0, 5);
  const bool high = (lane & far) != 0;
  const unsigned other = __shfl_xor_sync(0xffffffffu, high ? r.x : r.y, far);
  if (high) r.x = other;
  else r.y = other;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const int distance = 1 << ?sw_const(0, 5, k), s = 1 << ?sw_const(0, 5, k);
    const unsigned m = ?sw_mask(k);
    const bool up = (lane & distance) != 0;
    const unsigned sent = up ? (r.x & m) | (r.y << s & ~m) : (r.x >> s & m) | (r.y & ~m);
    const unsigned got = __shfl_xor_sync(0xffffffffu, sent, distance);
    r.x = up ? (got & m) | (r.x & ~m) : (r.x & m) | (got << s & ~m);
    r.y = up ? (got >> s & m) | (r.y & ~m) : (r.y & m) | (got & ~m);
  }
  y[i] = r;
}
