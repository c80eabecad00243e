// Transposes a square matrix of floats in place. A block turns two tiles of kSide x kSide that change places, by
// pieces of 4 x 4, one after the other through the same shared memory; the second waits in registers. Blocks below the
// diagonal have nothing to do, and on the diagonal both tiles are one.
#pragma swizzle launch grid((n + kSide - 1) / kSide, (n + kSide - 1) / kSide) block(kSide / 4, kSide / 4)
#pragma swizzle instance n = kSide
#pragma swizzle check n = 136
#pragma swizzle assume n % 4 == 0
#pragma swizzle extent x(n * n)

constexpr int kSide = 64;

__global__ void __launch_bounds__(kSide * kSide / 16) transpose_in_place(float* x, int n) {
  auto L = ?sw_layout(kSide, kSide);
  __shared__ float tile[L.size()];
  if (blockIdx.x < blockIdx.y) return;
  const int c = 4 * threadIdx.x, r = 4 * threadIdx.y;

  __align__(16) float piece[2][4][4];
#pragma unroll
  for (int which = 0; which < 2; which++) {
    const int left = kSide * (which == 0 ? blockIdx.x : blockIdx.y), top = kSide * (which == 0 ? blockIdx.y : blockIdx.x);
    if (left + c < n && top + r < n) {
#pragma unroll
      for (int e = 0; e < 4; e++)
        *reinterpret_cast<float4*>(piece[which][e]) = *reinterpret_cast<const float4*>(&x[(top + r + e) * n + left + c]);
    }
  }
#pragma unroll
  for (int which = 0; which < 2; which++) {
    const int left = kSide * (which == 0 ? blockIdx.x : blockIdx.y), top = kSide * (which == 0 ? blockIdx.y : blockIdx.x);
    __align__(16) float turned[4][4];
#pragma unroll
    for (int e = 0; e < 4; e++)
#pragma unroll
      for (int f = 0; f < 4; f++) turned[e][f] = piece[which][f][e];
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&tile[L(c + e, r)]) = *reinterpret_cast<float4*>(turned[e]);
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 4; e++) {
      const int row = threadIdx.y + kSide / 4 * e;
      if (top + c < n && left + row < n)
        *reinterpret_cast<float4*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<float4*>(&tile[L(row, c)]);
    }
  }
}
