// A 16x16 tile from rows to columns through shared memory: in which word of its row each element stands is a linear map
// of the bits of its column and its row.
#pragma swizzle launch grid(n / 256) block(32)
#pragma swizzle instance n = 256
#pragma swizzle check n = 1024

__global__ void linear_tile16(const float* x, float* y, int n) {
  __shared__ float tile[256];
  const int c = threadIdx.x % 16, h = threadIdx.x / 16, first = 256 * blockIdx.x;
#pragma unroll
  for (int r = h; r < 16; r += 2) tile[16 * r + ?sw_linear(c, 16, r)] = x[first + 16 * r + c];
  __syncthreads();
#pragma unroll
  for (int r = h; r < 16; r += 2) y[first + 16 * r + c] = tile[16 * c + ?sw_linear(r, 16, c)];
}
