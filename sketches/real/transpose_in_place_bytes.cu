// Transposes a square matrix of bytes in place. A block turns two tiles of 128 x 128 that change places, half of its
// threads each, by pieces of 8 x 8; blocks below the diagonal have nothing to do, and on the diagonal both tiles are one.
#pragma swizzle launch grid((n + 127) / 128, (n + 127) / 128) block(16, 16, 2)
#pragma swizzle instance n = 128
#pragma swizzle check n = 264
#pragma swizzle assume n % 8 == 0
#pragma swizzle extent x(n * n)

__global__ void __launch_bounds__(512) transpose_in_place_bytes(unsigned char* x, int n) {
  auto L = ?sw_layout(128, 128);
  __shared__ unsigned char tile[2][L.size()];
  if (blockIdx.x < blockIdx.y) return;
  const int which = threadIdx.z, c = 8 * threadIdx.x, r = 8 * threadIdx.y;
  const int left = 128 * (which == 0 ? blockIdx.x : blockIdx.y), top = 128 * (which == 0 ? blockIdx.y : blockIdx.x);

  __align__(8) unsigned char piece[8][8], turned[8][8];
  if (left + c < n && top + r < n) {
#pragma unroll
    for (int e = 0; e < 8; e++)
      *reinterpret_cast<uint2*>(piece[e]) = *reinterpret_cast<const uint2*>(&x[(top + r + e) * n + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 8; e++)
#pragma unroll
    for (int f = 0; f < 8; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 8; e++)
    *reinterpret_cast<uint2*>(&tile[which][L(c + e, r)]) = *reinterpret_cast<uint2*>(turned[e]);
  __syncthreads();
  if (top + c >= n) return;
#pragma unroll
  for (int e = 0; e < 8; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < n)
      *reinterpret_cast<uint2*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<uint2*>(&tile[which][L(row, c)]);
  }
}
