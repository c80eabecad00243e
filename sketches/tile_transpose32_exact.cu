// A 32x32 tile of floats, stored by rows without room for padding and loaded by columns.
#pragma swizzle launch grid(n / 1024) block(256)
#pragma swizzle instance n = 1024
#pragma swizzle check n = 2048

__global__ void transpose(const float* x, float* y, int n) {
  auto L = ?sw_layout(32, 32);
  __shared__ float tile[32 * 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, base = blockIdx.x * 1024;
  for (int i = 0; i < 4; i++) tile[L(warp + 8 * i, lane)] = x[base + (warp + 8 * i) * 32 + lane];
  __syncthreads();
  for (int i = 0; i < 4; i++) y[base + (warp + 8 * i) * 32 + lane] = tile[L(lane, warp + 8 * i)];
}
