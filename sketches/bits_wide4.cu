// Transposes 32 x 32 bit matrices, four rows a lane: eight lanes have a matrix, a warp has four. As bits_wide, with half as
// many words a lane, so that one round more goes through shuffles.
#pragma swizzle launch grid(n / 128) block(32)
#pragma swizzle instance n = 128
#pragma swizzle check n = 384
#pragma swizzle bits(x, y)

__constant__ unsigned masks[2] = {?sw_mask(), ?sw_mask()};

// Lanes whose bit `distance` is set keep the bits m << s of their words, the others the bits m; the rest changes places.
__device__ void exchange(int lane, int distance, int s, unsigned m, unsigned& a, unsigned& b) {
  const bool up = (lane & distance) != 0;
  const unsigned kept = m << (up ? s : 0);
  const int left = up ? s : 32 - s;
  const unsigned sent = (__funnelshift_l(a, a, left) & kept) | (b & ~kept);
  const unsigned got = __shfl_xor_sync(0xffffffffu, sent, distance);
  a = (a & kept) | (got & ~kept);
  b = (b & kept) | (__funnelshift_r(got, got, left) & ~kept);
}

__device__ void swap(int s, unsigned m, unsigned& a, unsigned& b) {
  const unsigned first = (a & m) | (b << s & ~m);
  b = (a >> s & m) | (b & ~m);
  a = first;
}

__global__ void bits_wide4(const uint4* x, uint4* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 p = x[i];
  unsigned r[4] = {p.x, p.y, p.z, p.w};
#pragma unroll
  for (int k = 0; k < ?sw_const(1, 5); k++) {
    const int distance = 1 << ?sw_const(0, 3, k), s = 1 << ?sw_const(0, 5, k);
    const unsigned m = ?sw_mask(k);
#pragma unroll
    for (int j = 0; j < 2; j++) exchange(lane, distance, s, m, r[j], r[j + 2]);
  }
#pragma unroll
  for (int k = 0; k < 2; k++) {
    const int s = 1 << ?sw_const(0, 5, k);
#pragma unroll
    for (int j = 0; j < 4; j++)
      if ((j >> k & 1) == 0) swap(s, masks[k], r[j], r[j | 1 << k]);
  }
  y[i] = make_uint4(r[0], r[1], r[2], r[3]);
}
