// Completed by swizzle-synth 0.1.0 from transpose_batched_half.cu
// spec: transpose_batched_half.cpp
//   sw_layout at 9:12: L(r, c) = r * 128 + (c ^ (r & 56)), 64 wavefronts, the ideal
//     CuTe: composition(Swizzle<3, 3, 7>{}, Layout<Shape<_128, _128>, Stride<_128, _1>>{})
//     Triton: vec 8, perPhase 8, maxPhase 8
// cost of a warp: 384 (shuffles 0, accumulates 0, shared wavefronts 64, loads 8, integer operations 64), proved minimal
// equal to the spec for every input at h=128, m=1, w=128

// Transposes m matrices of 16-bit elements, one after the other, each by tiles of 128 x 128 as transpose_batched.cu does, by pieces of 8 x 8.
// swizzle launch grid((h + 127) / 128, (w + 127) / 128, m) block(16, 16)
// swizzle instance w = 128, h = 128, m = 1
// swizzle check w = 152, h = 136, m = 2
#pragma swizzle assume w % 8 == 0, h % 8 == 0

__global__ void __launch_bounds__(256)
transpose_batched_half(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int w, int h, int m) {
  // L(r, c) = r * 128 + (c ^ (r & 56)): 128 x 128 elements in 16384
  __shared__ __align__(16) unsigned short tile[16384];
  const int left = blockIdx.y * 128, top = blockIdx.x * 128;
  const int matrix = blockIdx.z * w * h;
  const int c = 8 * threadIdx.x, r = 8 * threadIdx.y;

  __align__(16) unsigned short piece[8][8], turned[8][8];
  if (left + c < w && top + r < h) {
#pragma unroll
    for (int e = 0; e < 8; e++)
      *reinterpret_cast<uint4*>(piece[e]) = *reinterpret_cast<const uint4*>(&x[matrix + (top + r + e) * w + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 8; e++)
#pragma unroll
    for (int f = 0; f < 8; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 8; e++) *reinterpret_cast<uint4*>(&tile[(c + e) * 128 + (r ^ ((c + e) & 56))]) = *reinterpret_cast<uint4*>(turned[e]);
  __syncthreads();
  if (top + c >= h) return;
#pragma unroll
  for (int e = 0; e < 8; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < w)
      *reinterpret_cast<uint4*>(&y[matrix + (left + row) * h + top + c]) = *reinterpret_cast<uint4*>(&tile[row * 128 + (c ^ (row & 56))]);
  }
}
