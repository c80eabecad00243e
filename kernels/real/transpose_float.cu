// Completed by swizzle-synth 0.1.0 from transpose_float.cu
// spec: transpose_float.cpp
//   sw_layout at 11:12: L(r, c) = r * 64 + (c ^ (r & 28)), 32 wavefronts, the ideal
//     CuTe: composition(Swizzle<3, 2, 6>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{})
//     Triton: vec 4, perPhase 4, maxPhase 8
// cost of a warp: 192 (shuffles 0, accumulates 0, shared wavefronts 32, loads 4, integer operations 32), proved minimal
// equal to the spec for every input at h=64, w=64

// Transposes a matrix of floats by tiles of 64 x 64. A thread turns a piece of 4 x 4 in its registers, so that shared
// memory and the matrices alike are read and written by float4; how the pieces lie in shared memory is open.
// Blocks that follow each other go down the matrix: what they write continues rows.
// swizzle launch grid((h + 63) / 64, (w + 63) / 64) block(16, 16)
// swizzle instance w = 64, h = 64
// swizzle check w = 76, h = 68
#pragma swizzle assume w % 4 == 0, h % 4 == 0

__global__ void __launch_bounds__(256)
transpose_float(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  // L(r, c) = r * 64 + (c ^ (r & 28)): 64 x 64 elements in 4096
  __shared__ __align__(16) float tile[4096];
  const int left = blockIdx.y * 64, top = blockIdx.x * 64;
  const int c = 4 * threadIdx.x, r = 4 * threadIdx.y;

  __align__(16) float piece[4][4], turned[4][4];
  if (left + c < w && top + r < h) {
#pragma unroll
    for (int e = 0; e < 4; e++)
      *reinterpret_cast<float4*>(piece[e]) = *reinterpret_cast<const float4*>(&x[(top + r + e) * w + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 4; e++)
#pragma unroll
    for (int f = 0; f < 4; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&tile[(c + e) * 64 + (r ^ ((c + e) & 28))]) = *reinterpret_cast<float4*>(turned[e]);
  __syncthreads();
  if (top + c >= h) return;
#pragma unroll
  for (int e = 0; e < 4; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < w)
      *reinterpret_cast<float4*>(&y[(left + row) * h + top + c]) = *reinterpret_cast<float4*>(&tile[row * 64 + (c ^ (row & 28))]);
  }
}
