// Transposes m matrices of 16-bit elements, one after the other, each by tiles of 128 x 128 as transpose_batched.cu does, by pieces of 8 x 8.
#pragma swizzle launch grid((h + 127) / 128, (w + 127) / 128, m) block(16, 16)
#pragma swizzle instance w = 128, h = 128, m = 1
#pragma swizzle check w = 152, h = 136, m = 2
#pragma swizzle assume w % 8 == 0, h % 8 == 0

__global__ void __launch_bounds__(256)
transpose_batched_half(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int w, int h, int m) {
  auto L = ?sw_layout(128, 128);
  __shared__ unsigned short tile[L.size()];
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
  for (int e = 0; e < 8; e++) *reinterpret_cast<uint4*>(&tile[L(c + e, r)]) = *reinterpret_cast<uint4*>(turned[e]);
  __syncthreads();
  if (top + c >= h) return;
#pragma unroll
  for (int e = 0; e < 8; e++) {
    const int row = threadIdx.y + 16 * e;
    if (left + row < w)
      *reinterpret_cast<uint4*>(&y[matrix + (left + row) * h + top + c]) = *reinterpret_cast<uint4*>(&tile[L(row, c)]);
  }
}
