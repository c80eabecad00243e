// A 32x32 tile of floats, stored by float2 and loaded by columns.
#pragma swizzle launch grid(n / 1024) block(256)
#pragma swizzle instance n = 1024
#pragma swizzle check n = 2048

__global__ void transpose(const float* x, float* y, int n) {
  auto L = ?sw_layout(32, 32);
  __shared__ float tile[L.size()];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, base = blockIdx.x * 1024;
  for (int i = 0; i < 2; i++) {
    const int r = threadIdx.x / 16 + 16 * i, c = threadIdx.x % 16 * 2;
    *reinterpret_cast<float2*>(&tile[L(r, c)]) = *reinterpret_cast<const float2*>(&x[base + r * 32 + c]);
  }
  __syncthreads();
  for (int i = 0; i < 4; i++) y[base + (warp + 8 * i) * 32 + lane] = tile[L(lane, warp + 8 * i)];
}
