// Transposes a square matrix of 64-bit elements in place. A block turns two tiles of 32 x 32 that change places, half of its
// threads each, by pieces of 2 x 2; blocks below the diagonal have nothing to do, and on the diagonal both tiles are one.
#pragma swizzle launch grid((n + 31) / 32, (n + 31) / 32) block(16, 16, 2)
#pragma swizzle instance n = 32
#pragma swizzle check n = 66
#pragma swizzle assume n % 2 == 0
#pragma swizzle extent x(n * n)

__global__ void __launch_bounds__(512) transpose_in_place_double(double* x, int n) {
  auto L = ?sw_layout(32, 32);
  __shared__ double tile[2][L.size()];
  if (blockIdx.x < blockIdx.y) return;
  const int which = threadIdx.z, c = 2 * threadIdx.x, r = 2 * threadIdx.y;
  const int left = 32 * (which == 0 ? blockIdx.x : blockIdx.y), top = 32 * (which == 0 ? blockIdx.y : blockIdx.x);

  __align__(16) double piece[2][2], turned[2][2];
  if (left + c < n && top + r < n) {
#pragma unroll
    for (int e = 0; e < 2; e++)
      *reinterpret_cast<double2*>(piece[e]) = *reinterpret_cast<const double2*>(&x[(top + r + e) * n + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 2; e++)
#pragma unroll
    for (int f = 0; f < 2; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 2; e++)
    *reinterpret_cast<double2*>(&tile[which][L(c + e, r)]) = *reinterpret_cast<double2*>(turned[e]);
  __syncthreads();
  if (top + c >= n) return;
#pragma unroll
  for (int e = 0; e < 2; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < n)
      *reinterpret_cast<double2*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<double2*>(&tile[which][L(row, c)]);
  }
}
