// Transposes a square matrix of 16-bit elements in place. A block turns two tiles of kSide x kSide that change places, by
// pieces of 8 x 8, one after the other through the same shared memory; the second waits in registers. Blocks below the
// diagonal have nothing to do, and on the diagonal both tiles are one.
#pragma swizzle launch grid((n + kSide - 1) / kSide, (n + kSide - 1) / kSide) block(kSide / 8, kSide / 8)
#pragma swizzle instance n = kSide
#pragma swizzle check n = 136
#pragma swizzle assume n % 8 == 0
#pragma swizzle extent x(n * n)

constexpr int kSide = 128;

__global__ void __launch_bounds__(kSide * kSide / 64) transpose_in_place_half(unsigned short* x, int n) {
  auto L = ?sw_layout(kSide, kSide);
  __shared__ unsigned short tile[L.size()];
  if (blockIdx.x < blockIdx.y) return;
  const int c = 8 * threadIdx.x, r = 8 * threadIdx.y;

  __align__(16) unsigned short piece[2][8][8];
#pragma unroll
  for (int which = 0; which < 2; which++) {
    const int left = kSide * (which == 0 ? blockIdx.x : blockIdx.y), top = kSide * (which == 0 ? blockIdx.y : blockIdx.x);
    if (left + c < n && top + r < n) {
#pragma unroll
      for (int e = 0; e < 8; e++)
        *reinterpret_cast<uint4*>(piece[which][e]) = *reinterpret_cast<const uint4*>(&x[(top + r + e) * n + left + c]);
    }
  }
#pragma unroll
  for (int which = 0; which < 2; which++) {
    const int left = kSide * (which == 0 ? blockIdx.x : blockIdx.y), top = kSide * (which == 0 ? blockIdx.y : blockIdx.x);
    __align__(16) unsigned short turned[8][8];
#pragma unroll
    for (int e = 0; e < 8; e++)
#pragma unroll
      for (int f = 0; f < 8; f++) turned[e][f] = piece[which][f][e];
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 8; e++) *reinterpret_cast<uint4*>(&tile[L(c + e, r)]) = *reinterpret_cast<uint4*>(turned[e]);
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 8; e++) {
      const int row = threadIdx.y + kSide / 8 * e;
      if (top + c < n && left + row < n)
        *reinterpret_cast<uint4*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<uint4*>(&tile[L(row, c)]);
    }
  }
}
