// Completed by swizzle-synth 0.1.0 from transpose_float.cu
// spec: transpose_float.cpp
//   sw_layout at 14:12: L(r, c) = r * 128 + (c ^ (r & 28)), 32 wavefronts, the ideal
//     CuTe: composition(Swizzle<3, 2, 7>{}, Layout<Shape<_64, _128>, Stride<_128, _1>>{})
//     Triton: vec 4, perPhase 4, maxPhase 8
// cost of a warp: 192 (shuffles 0, accumulates 0, shared wavefronts 32, loads 4, integer operations 32), proved minimal
// equal to the spec for every input at h=128, w=64

// Transposes a matrix of floats by tiles of kWide columns and kHigh rows. A thread turns a piece of 4 x 4 in its registers,
// so that shared memory and the matrices alike are read and written by float4; how the pieces lie in shared memory is open.
// Blocks that follow each other go down the matrix: what they write continues rows.
// swizzle launch grid((h + kHigh - 1) / kHigh, (w + kWide - 1) / kWide) block(kWide / 4, kHigh / 4)
// swizzle instance w = kWide, h = kHigh
// swizzle check w = 76, h = 132
#pragma swizzle assume w % 4 == 0, h % 4 == 0

constexpr int kWide = 64;
constexpr int kHigh = 128;

__global__ void __launch_bounds__(kWide * kHigh / 16)
transpose_float(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  // L(r, c) = r * 128 + (c ^ (r & 28)): 64 x 128 elements in 8192
  __shared__ __align__(16) float tile[8192];
  const int left = blockIdx.y * kWide, top = blockIdx.x * kHigh;
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
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&tile[(c + e) * 128 + (r ^ ((c + e) & 28))]) = *reinterpret_cast<float4*>(turned[e]);
  __syncthreads();
  const int t = threadIdx.y * (kWide / 4) + threadIdx.x;
  const int out = 4 * (t % (kHigh / 4));
  if (top + out >= h) return;
#pragma unroll
  for (int e = 0; e < 4; e++) {
    const int row = t / (kHigh / 4) + kWide / 4 * e;
    if (left + row < w)
      *reinterpret_cast<float4*>(&y[(left + row) * h + top + out]) = *reinterpret_cast<float4*>(&tile[row * 128 + (out ^ (row & 28))]);
  }
}
