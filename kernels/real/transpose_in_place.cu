// Completed by swizzle-synth 0.1.0 from transpose_in_place.cu
// spec: transpose_in_place.cpp
//   sw_layout at 13:12: L(r, c) = r * 64 + (c ^ (r & 28)), 64 wavefronts, the ideal
//     CuTe: composition(Swizzle<3, 2, 6>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{})
//     Triton: vec 4, perPhase 4, maxPhase 8
// cost of a warp: 384 (shuffles 0, accumulates 0, shared wavefronts 64, loads 8, integer operations 64), proved minimal
// equal to the spec for every input at n=64

// Transposes a square matrix of floats in place. A block turns two tiles of kSide x kSide that change places, by
// pieces of 4 x 4, one after the other through the same shared memory; the second waits in registers. Blocks below the
// diagonal have nothing to do, and on the diagonal both tiles are one.
// swizzle launch grid((n + kSide - 1) / kSide, (n + kSide - 1) / kSide) block(kSide / 4, kSide / 4)
// swizzle instance n = kSide
// swizzle check n = 136
#pragma swizzle assume n % 4 == 0
// swizzle extent x(n * n)

constexpr int kSide = 64;

__global__ void __launch_bounds__(kSide * kSide / 16) transpose_in_place(float* x, int n) {
  // L(r, c) = r * 64 + (c ^ (r & 28)): 64 x 64 elements in 4096
  __shared__ __align__(16) float tile[4096];
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
    for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&tile[(c + e) * 64 + (r ^ ((c + e) & 28))]) = *reinterpret_cast<float4*>(turned[e]);
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 4; e++) {
      const int row = threadIdx.y + kSide / 4 * e;
      if (top + c < n && left + row < n)
        *reinterpret_cast<float4*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<float4*>(&tile[row * 64 + (c ^ (row & 28))]);
    }
  }
}
