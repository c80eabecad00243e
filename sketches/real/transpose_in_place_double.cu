// Transposes a square matrix of 64-bit elements in place. A block turns two tiles of kSide x kSide that change places, by
// pieces of 2 x 2, one after the other through the same shared memory; the second waits in registers. Blocks below the
// diagonal have nothing to do, and on the diagonal both tiles are one.
#pragma swizzle launch grid((n + kSide - 1) / kSide, (n + kSide - 1) / kSide) block(kSide / 2, kHigh)
#pragma swizzle instance n = kSide
#pragma swizzle check n = 66
#pragma swizzle assume n % 2 == 0
#pragma swizzle extent x(n * n)

constexpr int kSide = 64;
constexpr int kHigh = 8;
constexpr int kPieces = kSide / 2 / kHigh;

__global__ void __launch_bounds__(kSide / 2 * kHigh) transpose_in_place_double(double* x, int n) {
  auto L = ?sw_layout(kSide, kSide);
  __shared__ double tile[L.size()];
  if (blockIdx.x < blockIdx.y) return;
  const int c = 2 * threadIdx.x;

  __align__(16) double piece[2][kPieces][2][2];
#pragma unroll
  for (int which = 0; which < 2; which++) {
    const int left = kSide * (which == 0 ? blockIdx.x : blockIdx.y), top = kSide * (which == 0 ? blockIdx.y : blockIdx.x);
#pragma unroll
    for (int p = 0; p < kPieces; p++) {
      const int r = 2 * (threadIdx.y + kHigh * p);
      if (left + c < n && top + r < n) {
#pragma unroll
        for (int e = 0; e < 2; e++)
          *reinterpret_cast<double2*>(piece[which][p][e]) =
              *reinterpret_cast<const double2*>(&x[(top + r + e) * n + left + c]);
      }
    }
  }
#pragma unroll
  for (int which = 0; which < 2; which++) {
    const int left = kSide * (which == 0 ? blockIdx.x : blockIdx.y), top = kSide * (which == 0 ? blockIdx.y : blockIdx.x);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kPieces; p++) {
      const int r = 2 * (threadIdx.y + kHigh * p);
#pragma unroll
      for (int e = 0; e < 2; e++)
        *reinterpret_cast<double2*>(&tile[L(c + e, r)]) =
            make_double2(piece[which][p][0][e], piece[which][p][1][e]);
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 2 * kPieces; e++) {
      const int row = threadIdx.y + kHigh * e;
      if (top + c < n && left + row < n)
        *reinterpret_cast<double2*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<double2*>(&tile[L(row, c)]);
    }
  }
}
