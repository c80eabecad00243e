// Loads an array of structs of kFields floats, by tiles of kStructs structs: a thread turns a piece of 4 x 4 in its
// registers, so that shared memory and both sides are read and written by float4, and each field is written in runs of
// kStructs floats; how the pieces lie in shared memory is open.
#pragma swizzle launch grid((n + kStructs - 1) / kStructs) block(kThreads)
#pragma swizzle instance n = kStructs
#pragma swizzle check n = 1000
#pragma swizzle assume n % 4 == 0

constexpr int kFields = 32;  // a multiple of 4
constexpr int kStructs = 256;
constexpr int kThreads = kFields * kStructs / 16;

__global__ void __launch_bounds__(kThreads, 2)
structs_load_tile(const float* __restrict__ x, float* __restrict__ y, int n) {
  auto L = ?sw_layout(kFields, kStructs);
  __shared__ float tile[L.size()];
  const int first = blockIdx.x * kStructs;
  const int f = 4 * (threadIdx.x % (kFields / 4)), s = 4 * (threadIdx.x / (kFields / 4));

  __align__(16) float piece[4][4], turned[4][4];
  if (first + s < n) {
#pragma unroll
    for (int e = 0; e < 4; e++)
      *reinterpret_cast<float4*>(piece[e]) = *reinterpret_cast<const float4*>(&x[kFields * (first + s + e) + f]);
  }
#pragma unroll
  for (int e = 0; e < 4; e++)
#pragma unroll
    for (int k = 0; k < 4; k++) turned[e][k] = piece[k][e];
#pragma unroll
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&tile[L(f + e, s)]) = *reinterpret_cast<float4*>(turned[e]);
  __syncthreads();
#pragma unroll
  for (int e = 0; e < 4; e++) {
    const int at = 4 * (threadIdx.x + kThreads * e), field = at / kStructs, i = at % kStructs;
    if (first + i < n)
      *reinterpret_cast<float4*>(&y[field * n + first + i]) = *reinterpret_cast<float4*>(&tile[L(field, i)]);
  }
}
