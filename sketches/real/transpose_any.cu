// Transposes a matrix of floats of any width and height by tiles of 64 x 64. Rows begin anywhere, so that the matrices are read and
// written float by float, 16 a thread; how the tile lies in shared memory is open.
#pragma swizzle launch grid((h + 63) / 64, (w + 63) / 64) block(64, 4)
#pragma swizzle instance w = 64, h = 64
#pragma swizzle check w = 77, h = 67

__global__ void __launch_bounds__(256)
transpose_any(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  auto L = ?sw_layout(64, 64);
  __shared__ float tile[L.size()];
  const int left = blockIdx.y * 64, top = blockIdx.x * 64;
  const int c = threadIdx.x;

#pragma unroll
  for (int r = threadIdx.y; r < 64; r += 4)
    if (left + c < w && top + r < h) tile[L(r, c)] = x[(top + r) * w + left + c];
  __syncthreads();
#pragma unroll
  for (int r = threadIdx.y; r < 64; r += 4)
    if (left + r < w && top + c < h) y[(left + r) * h + top + c] = tile[L(c, r)];
}
