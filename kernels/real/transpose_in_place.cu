// Completed by swizzle-synth 0.1.0 from transpose_in_place.cu
// spec: transpose_in_place.cpp
//   sw_layout at 10:12: L(r, c) = r * 64 + (c ^ (r & 28)), 64 wavefronts, the ideal
//     CuTe: composition(Swizzle<3, 2, 6>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{})
//     Triton: vec 4, perPhase 4, maxPhase 8
// cost of a warp: 384 (shuffles 0, accumulates 0, shared wavefronts 64, loads 8, integer operations 64), proved minimal
// equal to the spec for every input at n=64

// Transposes a square matrix of floats in place. A block turns two tiles of 64 x 64 that change places, piece by piece as
// transpose_float.cu does; those below the diagonal have nothing to do, and on the diagonal both are one.
// swizzle launch grid((n + 63) / 64, (n + 63) / 64) block(16, 16)
// swizzle instance n = 64
// swizzle check n = 132
#pragma swizzle assume n % 4 == 0
// swizzle extent x(n * n)

__global__ void __launch_bounds__(256) transpose_in_place(float* x, int n) {
  // L(r, c) = r * 64 + (c ^ (r & 28)): 64 x 64 elements in 4096
  __shared__ __align__(16) float above[4096];
  __shared__ __align__(16) float below[4096];
  const int left = blockIdx.x * 64, top = blockIdx.y * 64;
  if (left < top) return;
  const int c = 4 * threadIdx.x, r = 4 * threadIdx.y;

  __align__(16) float piece[4][4], turned[4][4];
  if (left + c < n && top + r < n) {
#pragma unroll
    for (int e = 0; e < 4; e++)
      *reinterpret_cast<float4*>(piece[e]) = *reinterpret_cast<const float4*>(&x[(top + r + e) * n + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 4; e++)
#pragma unroll
    for (int f = 0; f < 4; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&above[(c + e) * 64 + (r ^ ((c + e) & 28))]) = *reinterpret_cast<float4*>(turned[e]);
  if (top + c < n && left + r < n) {
#pragma unroll
    for (int e = 0; e < 4; e++)
      *reinterpret_cast<float4*>(piece[e]) = *reinterpret_cast<const float4*>(&x[(left + r + e) * n + top + c]);
  }
#pragma unroll
  for (int e = 0; e < 4; e++)
#pragma unroll
    for (int f = 0; f < 4; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&below[(c + e) * 64 + (r ^ ((c + e) & 28))]) = *reinterpret_cast<float4*>(turned[e]);
  __syncthreads();
#pragma unroll
  for (int e = 0; e < 4; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < n && top + c < n)
      *reinterpret_cast<float4*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<float4*>(&above[row * 64 + (c ^ (row & 28))]);
    if (top + row < n && left + c < n)
      *reinterpret_cast<float4*>(&x[(top + row) * n + left + c]) = *reinterpret_cast<float4*>(&below[row * 64 + (c ^ (row & 28))]);
  }
}
