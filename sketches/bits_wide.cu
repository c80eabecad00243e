// Transposes 32 x 32 bit matrices, four rows a lane: eight lanes have a matrix, a warp has four. Rounds through shuffles
// exchange halves of words, two words' halves in one shuffle; the rounds between a lane's own words need none. How many
// rounds go through shuffles, and what moves how far in each, is open.
#pragma swizzle launch grid(n / 128) block(32)
#pragma swizzle instance n = 128
#pragma swizzle check n = 384
#pragma swizzle bits(x, y)

__device__ void exchange(int lane, int distance, int s, unsigned m, unsigned& a, unsigned& b) {
  const bool up = (lane & distance) != 0;
  const unsigned sent = up ? (a & m) | (b << s & ~m) : (a >> s & m) | (b & ~m);
  const unsigned got = __shfl_xor_sync(0xffffffffu, sent, distance);
  a = up ? (got & m) | (a & ~m) : (a & m) | (got << s & ~m);
  b = up ? (got >> s & m) | (b & ~m) : (b & m) | (got & ~m);
}

__device__ void swap(int s, unsigned m, unsigned& a, unsigned& b) {
  const unsigned kept = (a & m) | (b << s & ~m);
  b = (a >> s & m) | (b & ~m);
  a = kept;
}

__global__ void bits_wide(const uint4* x, uint4* y, int n) {
  const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  uint4 r = x[i];
#pragma unroll
  for (int k = 0; k < ?sw_const(2, 5); k++) {
    const int distance = 1 << ?sw_const(0, 3, k), s = 1 << ?sw_const(0, 5, k);
    const unsigned m = ?sw_mask(k);
    exchange(lane, distance, s, m, r.x, r.y);
    exchange(lane, distance, s, m, r.z, r.w);
  }
  const int s = ?sw_const(1, 5), t = ?sw_const(1, 5);
  const unsigned m = ?sw_mask(), w = ?sw_mask();
  swap(s, m, r.x, r.z);
  swap(s, m, r.y, r.w);
  swap(t, w, r.x, r.y);
  swap(t, w, r.z, r.w);
  y[i] = r;
}
