// Completed by swizzle-synth 0.1.0 from transpose_batched_double.cu
// spec: transpose_batched_double.cpp
//   sw_layout at 9:12: L(r, c) = r * 32 + (c ^ (r & 14)), 16 wavefronts, the ideal
//     CuTe: composition(Swizzle<3, 1, 5>{}, Layout<Shape<_64, _32>, Stride<_32, _1>>{})
//     Triton: vec 2, perPhase 2, maxPhase 8
// cost of a warp: 96 (shuffles 0, accumulates 0, shared wavefronts 16, loads 2, integer operations 16), proved minimal
// equal to the spec for every input at h=32, m=1, w=64

// Transposes m matrices of 64-bit elements, one after the other, each by tiles of 64 x 32 as transpose_batched.cu does, by pieces of 2 x 2.
// swizzle launch grid((h + 31) / 32, (w + 63) / 64, m) block(32, 16)
// swizzle instance w = 64, h = 32, m = 1
// swizzle check w = 70, h = 38, m = 2
#pragma swizzle assume w % 2 == 0, h % 2 == 0

__global__ void __launch_bounds__(512)
transpose_batched_double(const double* __restrict__ x, double* __restrict__ y, int w, int h, int m) {
  // L(r, c) = r * 32 + (c ^ (r & 14)): 64 x 32 elements in 2048
  __shared__ __align__(16) double tile[2048];
  const int left = blockIdx.y * 64, top = blockIdx.x * 32;
  const int matrix = blockIdx.z * w * h;
  const int c = 2 * threadIdx.x, r = 2 * threadIdx.y;

  __align__(16) double piece[2][2], turned[2][2];
  if (left + c < w && top + r < h) {
#pragma unroll
    for (int e = 0; e < 2; e++)
      *reinterpret_cast<double2*>(piece[e]) = *reinterpret_cast<const double2*>(&x[matrix + (top + r + e) * w + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 2; e++)
#pragma unroll
    for (int f = 0; f < 2; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 2; e++) *reinterpret_cast<double2*>(&tile[(c + e) * 32 + (r ^ ((c + e) & 14))]) = *reinterpret_cast<double2*>(turned[e]);
  __syncthreads();
  const int column = 2 * (threadIdx.x % 16), first = 2 * threadIdx.y + threadIdx.x / 16;
  if (top + column >= h) return;
#pragma unroll
  for (int e = 0; e < 2; e++) {
    const int row = first + 32 * e;
    if (left + row < w)
      *reinterpret_cast<double2*>(&y[matrix + (left + row) * h + top + column]) = *reinterpret_cast<double2*>(&tile[row * 32 + (column ^ (row & 14))]);
  }
}
