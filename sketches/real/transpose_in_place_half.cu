// Transposes a square matrix of 16-bit elements in place. A block turns two tiles of 64 x 64 that change places, half of its
// threads each, by pieces of 8 x 8; blocks below the diagonal have nothing to do, and on the diagonal both tiles are one.
#pragma swizzle launch grid((n + 63) / 64, (n + 63) / 64) block(8, 8, 2)
#pragma swizzle instance n = 64
#pragma swizzle check n = 136
#pragma swizzle assume n % 8 == 0
#pragma swizzle extent x(n * n)

__global__ void __launch_bounds__(128) transpose_in_place_half(unsigned short* x, int n) {
  auto L = ?sw_layout(64, 64);
  __shared__ unsigned short tile[2][L.size()];
  if (blockIdx.x < blockIdx.y) return;
  const int which = threadIdx.z, c = 8 * threadIdx.x, r = 8 * threadIdx.y;
  const int left = 64 * (which == 0 ? blockIdx.x : blockIdx.y), top = 64 * (which == 0 ? blockIdx.y : blockIdx.x);

  __align__(16) unsigned short piece[8][8], turned[8][8];
  if (left + c < n && top + r < n) {
#pragma unroll
    for (int e = 0; e < 8; e++)
      *reinterpret_cast<uint4*>(piece[e]) = *reinterpret_cast<const uint4*>(&x[(top + r + e) * n + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 8; e++)
#pragma unroll
    for (int f = 0; f < 8; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 8; e++)
    *reinterpret_cast<uint4*>(&tile[which][L(c + e, r)]) = *reinterpret_cast<uint4*>(turned[e]);
  __syncthreads();
  if (top + c >= n) return;
#pragma unroll
  for (int e = 0; e < 8; e++) {
    const int row = threadIdx.y + 8 * e;
    if (left + row < n)
      *reinterpret_cast<uint4*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<uint4*>(&tile[which][L(row, c)]);
  }
}
