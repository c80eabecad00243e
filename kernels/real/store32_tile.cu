// Completed by swizzle-synth 0.1.0 from structs_store_tile.cu
// spec: structs_store_tile.cpp
//   sw_layout at 13:12: L(r, c) = r * 256 + (c ^ (r & 28)), 32 wavefronts, the ideal
//     CuTe: composition(Swizzle<3, 2, 8>{}, Layout<Shape<_32, _256>, Stride<_256, _1>>{})
//     Triton: vec 4, perPhase 4, maxPhase 8
// cost of a warp: 192 (shuffles 0, accumulates 0, shared wavefronts 32, loads 4, integer operations 32), proved minimal
// equal to the spec for every input at n=256

// The inverse of structs_load_tile.cu: a struct of arrays becomes an array of structs of kFields floats.
// swizzle launch grid((n + kStructs - 1) / kStructs) block(kThreads)
// swizzle instance n = kStructs
// swizzle check n = 1000
#pragma swizzle assume n % 4 == 0

constexpr int kFields = 32;  // a multiple of 4
constexpr int kStructs = 256;
constexpr int kThreads = kFields * kStructs / 16;

__global__ void __launch_bounds__(kThreads)
structs_store_tile(const float* __restrict__ x, float* __restrict__ y, int n) {
  // L(r, c) = r * 256 + (c ^ (r & 28)): 32 x 256 elements in 8192
  __shared__ __align__(16) float tile[8192];
  const int first = blockIdx.x * kStructs;
  const int f = 4 * (threadIdx.x % (kFields / 4)), s = 4 * (threadIdx.x / (kFields / 4));

#pragma unroll
  for (int e = 0; e < 4; e++) {
    const int at = 4 * (threadIdx.x + kThreads * e), field = at / kStructs, i = at % kStructs;
    if (first + i < n)
      *reinterpret_cast<float4*>(&tile[field * 256 + (i ^ (field & 28))]) = *reinterpret_cast<const float4*>(&x[field * n + first + i]);
  }
  __syncthreads();
  if (first + s >= n) return;
  __align__(16) float piece[4][4], turned[4][4];
#pragma unroll
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(piece[e]) = *reinterpret_cast<float4*>(&tile[(f + e) * 256 + (s ^ ((f + e) & 28))]);
#pragma unroll
  for (int e = 0; e < 4; e++)
#pragma unroll
    for (int k = 0; k < 4; k++) turned[e][k] = piece[k][e];
#pragma unroll
  for (int e = 0; e < 4; e++)
    *reinterpret_cast<float4*>(&y[kFields * (first + s + e) + f]) = *reinterpret_cast<float4*>(turned[e]);
}
