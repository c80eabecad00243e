// Transposes 32 x 32 matrices of 4-bit elements, a row of four words a lane. Two rounds exchange whole words, three the
// halves of two words at once.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__device__ void exchange_words(int lane, int distance, unsigned& a, unsigned& b) {
  const bool up = (lane & distance) != 0;
  const unsigned got = __shfl_xor_sync(0xffffffffu, up ? a : b, distance);
  if (up) a = got;
  else b = got;
}

__device__ void exchange_halves(int lane, int distance, int s, unsigned m, unsigned& a, unsigned& b) {
  const bool up = (lane & distance) != 0;
  const unsigned sent = up ? (a & m) | (b << s & ~m) : (a >> s & m) | (b & ~m);
  const unsigned got = __shfl_xor_sync(0xffffffffu, sent, distance);
  a = up ? (got & m) | (a & ~m) : (a & m) | (got << s & ~m);
  b = up ? (got >> s & m) | (b & ~m) : (b & m) | (got & ~m);
}

__global__ void bits_nibbles32(const uint4* x, uint4* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 r = x[i];
  const int far = 1 << ?sw_const(0, 5), near = 1 << ?sw_const(0, 5);
  exchange_words(lane, far, r.x, r.z);
  exchange_words(lane, far, r.y, r.w);
  exchange_words(lane, near, r.x, r.y);
  exchange_words(lane, near, r.z, r.w);
#pragma unroll
  for (int k = 0; k < 3; k++) {
    const int distance = 1 << ?sw_const(0, 5, k), s = 1 << ?sw_const(0, 5, k);
    const unsigned m = ?sw_mask(k);
    exchange_halves(lane, distance, s, m, r.x, r.y);
    exchange_halves(lane, distance, s, m, r.z, r.w);
  }
  y[i] = r;
}
