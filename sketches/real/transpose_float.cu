// Transposes a matrix of floats by tiles of 64 x 64. A thread turns a piece of 4 x 4 in its registers, so that shared
// memory and the matrices alike are read and written by float4; how the pieces lie in shared memory is open.
// Blocks that follow each other go down the matrix: what they write continues rows.
#pragma swizzle launch grid((h + 63) / 64, (w + 63) / 64) block(16, 16)
#pragma swizzle instance w = 64, h = 64
#pragma swizzle check w = 76, h = 68
#pragma swizzle assume w % 4 == 0, h % 4 == 0

__global__ void __launch_bounds__(256)
transpose_float(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  auto L = ?sw_layout(64, 64);
  __shared__ float tile[L.size()];
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
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&tile[L(c + e, r)]) = *reinterpret_cast<float4*>(turned[e]);
  __syncthreads();
  if (top + c >= h) return;
#pragma unroll
  for (int e = 0; e < 4; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < w)
      *reinterpret_cast<float4*>(&y[(left + row) * h + top + c]) = *reinterpret_cast<float4*>(&tile[L(row, c)]);
  }
}
