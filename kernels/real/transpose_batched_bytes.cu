// Completed by swizzle-synth 0.1.0 from transpose_batched_bytes.cu
// spec: transpose_batched_bytes.cpp
//   sw_layout at 11:12: L(r, c) = r * 128 + (c ^ (r & 120)), 32 wavefronts, the ideal
//     CuTe: composition(Swizzle<4, 3, 7>{}, Layout<Shape<_256, _128>, Stride<_128, _1>>{})
//     Triton: vec 8, perPhase 8, maxPhase 16
// cost of a warp: 256 (shuffles 0, accumulates 0, shared wavefronts 32, loads 8, integer operations 64), proved minimal
// equal to the spec for every input at h=128, m=1, w=256

// Transposes m matrices of bytes, one after the other, each by tiles of kWide x 128 as transpose_batched.cu does, by pieces of 8 x 8.
// swizzle launch grid((h + 127) / 128, (w + kWide - 1) / kWide, m) block(kWide / 8, 16)
// swizzle instance w = kWide, h = 128, m = 1
// swizzle check w = kWide + 24, h = 136, m = 2
#pragma swizzle assume w % 8 == 0, h % 8 == 0

constexpr int kWide = 256;

__global__ void __launch_bounds__(2 * kWide)
transpose_batched_bytes(const unsigned char* __restrict__ x, unsigned char* __restrict__ y, int w, int h, int m) {
  // L(r, c) = r * 128 + (c ^ (r & 120)): 256 x 128 elements in 32768
  __shared__ __align__(8) unsigned char tile[32768];
  const int left = blockIdx.y * kWide, top = blockIdx.x * 128;
  const int matrix = blockIdx.z * w * h;
  const int c = 8 * threadIdx.x, r = 8 * threadIdx.y;

  __align__(8) unsigned char piece[8][8], turned[8][8];
  if (left + c < w && top + r < h) {
#pragma unroll
    for (int e = 0; e < 8; e++)
      *reinterpret_cast<uint2*>(piece[e]) = *reinterpret_cast<const uint2*>(&x[matrix + (top + r + e) * w + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 8; e++)
#pragma unroll
    for (int f = 0; f < 8; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 8; e++) *reinterpret_cast<uint2*>(&tile[(c + e) * 128 + (r ^ ((c + e) & 120))]) = *reinterpret_cast<uint2*>(turned[e]);
  __syncthreads();
  const int thread = kWide / 8 * threadIdx.y + threadIdx.x, column = 8 * (thread % 16);
  if (top + column >= h) return;
#pragma unroll
  for (int e = 0; e < 8; e++) {
    const int row = thread / 16 + kWide / 8 * e;
    if (left + row < w)
      *reinterpret_cast<uint2*>(&y[matrix + (left + row) * h + top + column]) = *reinterpret_cast<uint2*>(&tile[row * 128 + (column ^ (row & 120))]);
  }
}
