// Completed by swizzle-synth 0.1.0 from transpose_in_place_bytes.cu
// spec: transpose_in_place_bytes.cpp
//   sw_layout at 10:12: L(r, c) = r * 128 + (c ^ (r & 120)), 32 wavefronts, the ideal
//     CuTe: composition(Swizzle<4, 3, 7>{}, Layout<Shape<_128, _128>, Stride<_128, _1>>{})
//     Triton: vec 8, perPhase 8, maxPhase 16
// cost of a warp: 256 (shuffles 0, accumulates 0, shared wavefronts 32, loads 8, integer operations 64), proved minimal
// equal to the spec for every input at n=128

// Transposes a square matrix of bytes in place. A block turns two tiles of 128 x 128 that change places, half of its
// threads each, by pieces of 8 x 8; blocks below the diagonal have nothing to do, and on the diagonal both tiles are one.
// swizzle launch grid((n + 127) / 128, (n + 127) / 128) block(16, 16, 2)
// swizzle instance n = 128
// swizzle check n = 264
#pragma swizzle assume n % 8 == 0
// swizzle extent x(n * n)

__global__ void __launch_bounds__(512) transpose_in_place_bytes(unsigned char* x, int n) {
  // L(r, c) = r * 128 + (c ^ (r & 120)): 128 x 128 elements in 16384
  __shared__ __align__(8) unsigned char tile[2][16384];
  if (blockIdx.x < blockIdx.y) return;
  const int which = threadIdx.z, c = 8 * threadIdx.x, r = 8 * threadIdx.y;
  const int left = 128 * (which == 0 ? blockIdx.x : blockIdx.y), top = 128 * (which == 0 ? blockIdx.y : blockIdx.x);

  __align__(8) unsigned char piece[8][8], turned[8][8];
  if (left + c < n && top + r < n) {
#pragma unroll
    for (int e = 0; e < 8; e++)
      *reinterpret_cast<uint2*>(piece[e]) = *reinterpret_cast<const uint2*>(&x[(top + r + e) * n + left + c]);
  }
#pragma unroll
  for (int e = 0; e < 8; e++)
#pragma unroll
    for (int f = 0; f < 8; f++) turned[e][f] = piece[f][e];
#pragma unroll
  for (int e = 0; e < 8; e++)
    *reinterpret_cast<uint2*>(&tile[which][(c + e) * 128 + (r ^ ((c + e) & 120))]) = *reinterpret_cast<uint2*>(turned[e]);
  __syncthreads();
  if (top + c >= n) return;
#pragma unroll
  for (int e = 0; e < 8; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < n)
      *reinterpret_cast<uint2*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<uint2*>(&tile[which][row * 128 + (c ^ (row & 120))]);
  }
}
