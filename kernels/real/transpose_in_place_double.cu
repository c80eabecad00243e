// Completed by swizzle-synth 0.1.0 from transpose_in_place_double.cu
// spec: transpose_in_place_double.cpp
//   sw_layout at 15:12: L(r, c) = r * 64 + (c ^ (r & 14)), 128 wavefronts, the ideal
//     CuTe: composition(Swizzle<3, 1, 6>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{})
//     Triton: vec 2, perPhase 2, maxPhase 8
// cost of a warp: 768 (shuffles 0, accumulates 0, shared wavefronts 128, loads 16, integer operations 128), proved minimal
// equal to the spec for every input at n=64

// Transposes a square matrix of 64-bit elements in place. A block turns two tiles of kSide x kSide that change places, by
// pieces of 2 x 2, one after the other through the same shared memory; the second waits in registers. Blocks below the
// diagonal have nothing to do, and on the diagonal both tiles are one.
// swizzle launch grid((n + kSide - 1) / kSide, (n + kSide - 1) / kSide) block(kSide / 2, kHigh)
// swizzle instance n = kSide
// swizzle check n = 66
#pragma swizzle assume n % 2 == 0
// swizzle extent x(n * n)

constexpr int kSide = 64;
constexpr int kHigh = 8;
constexpr int kPieces = kSide / 2 / kHigh;

__global__ void __launch_bounds__(kSide / 2 * kHigh) transpose_in_place_double(double* x, int n) {
  // L(r, c) = r * 64 + (c ^ (r & 14)): 64 x 64 elements in 4096
  __shared__ __align__(16) double tile[4096];
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
        *reinterpret_cast<double2*>(&tile[(c + e) * 64 + (r ^ ((c + e) & 14))]) =
            make_double2(piece[which][p][0][e], piece[which][p][1][e]);
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 2 * kPieces; e++) {
      const int row = threadIdx.y + kHigh * e;
      if (top + c < n && left + row < n)
        *reinterpret_cast<double2*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<double2*>(&tile[row * 64 + (c ^ (row & 14))]);
    }
  }
}
