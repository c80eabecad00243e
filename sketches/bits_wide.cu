// Transposes 32 x 32 bit matrices, eight rows a lane: four lanes have a matrix, a warp has eight. Rounds through shuffles
// exchange halves of words, two words' halves in one shuffle; the rounds between a lane's own words need none. How many
// rounds go through shuffles, and what moves how far in each, is open. Masks that lie in constant memory are operands of
// an instruction; nvcc splits `a & m | b & ~m` into two if it knows m.
#pragma swizzle launch grid(n / 256) block(32)
#pragma swizzle instance n = 256
#pragma swizzle check n = 768
#pragma swizzle bits(x, y)

__constant__ unsigned masks[3] = {?sw_mask(), ?sw_mask(), ?sw_mask()};

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

__global__ void bits_wide(const uint4* x, uint4* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i / 4 * 8 + i % 4;
  const uint4 p = x[first], q = x[first + 4];
  unsigned r[8] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w};
#pragma unroll
  for (int k = 0; k < ?sw_const(1, 4); k++) {
    const int distance = 1 << ?sw_const(0, 5, k), s = 1 << ?sw_const(0, 5, k);
    const unsigned m = ?sw_mask(k);
#pragma unroll
    for (int j = 0; j < 4; j++) exchange(lane, distance, s, m, r[j], r[j + 4]);
  }
#pragma unroll
  for (int k = 0; k < 3; k++) {
    const int s = 1 << ?sw_const(0, 5, k);
#pragma unroll
    for (int j = 0; j < 8; j++)
      if ((j >> k & 1) == 0) swap(s, masks[k], r[j], r[j | 1 << k]);
  }
  y[first] = make_uint4(r[0], r[1], r[2], r[3]);
  y[first + 4] = make_uint4(r[4], r[5], r[6], r[7]);
}
