// Transposes a matrix of floats by tiles of kWide columns and kHigh rows. A thread turns a piece of 4 x 4 in its registers,
// so that shared memory and the matrices alike are read and written by float4; how the pieces lie in shared memory is open.
// Blocks that follow each other go down the matrix: what they write continues rows.
#pragma swizzle launch grid((h + kHigh - 1) / kHigh, (w + kWide - 1) / kWide) block(kWide / 4, kHigh / 4)
#pragma swizzle instance w = kWide, h = kHigh
#pragma swizzle check w = 76, h = 132
#pragma swizzle assume w % 4 == 0, h % 4 == 0

constexpr int kWide = 64;
constexpr int kHigh = 128;

__global__ void __launch_bounds__(kWide * kHigh / 16)
transpose_float(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  auto L = ?sw_layout(kWide, kHigh);
  __shared__ float tile[L.size()];
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
  for (int e = 0; e < 4; e++) *reinterpret_cast<float4*>(&tile[L(c + e, r)]) = *reinterpret_cast<float4*>(turned[e]);
  __syncthreads();
  const int t = threadIdx.y * (kWide / 4) + threadIdx.x;
  const int out = 4 * (t % (kHigh / 4));
  if (top + out >= h) return;
#pragma unroll
  for (int e = 0; e < 4; e++) {
    const int row = t / (kHigh / 4) + kWide / 4 * e;
    if (left + row < w)
      *reinterpret_cast<float4*>(&y[(left + row) * h + top + out]) = *reinterpret_cast<float4*>(&tile[L(row, out)]);
  }
}
