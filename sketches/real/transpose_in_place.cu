// Transposes a square matrix of floats in place. A block turns two tiles of 64 x 64 that change places, piece by piece as
// transpose_float.cu does; those below the diagonal have nothing to do, and on the diagonal both are one.
#pragma swizzle launch grid((n + 63) / 64, (n + 63) / 64) block(16, 16)
#pragma swizzle instance n = 64
#pragma swizzle check n = 132
#pragma swizzle assume n % 4 == 0
#pragma swizzle extent x(n * n)

__global__ void __launch_bounds__(256) transpose_in_place(float* x, int n) {
  auto L = ?sw_layout(64, 64);
  __shared__ float above[L.size()];
  __shared__ float below[L.size()];
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
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&above[L(c + e, r)]) = *reinterpret_cast<float4*>(turned[e]);
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
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&below[L(c + e, r)]) = *reinterpret_cast<float4*>(turned[e]);
  __syncthreads();
#pragma unroll
  for (int e = 0; e < 4; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < n && top + c < n)
      *reinterpret_cast<float4*>(&x[(left + row) * n + top + c]) = *reinterpret_cast<float4*>(&above[L(row, c)]);
    if (top + row < n && left + c < n)
      *reinterpret_cast<float4*>(&x[(top + row) * n + left + c]) = *reinterpret_cast<float4*>(&below[L(row, c)]);
  }
}
