// 8 threads transpose 8x8 words on a machine with 8 banks.
#pragma swizzle machine toy8
#pragma swizzle launch grid(n / 64) block(8)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void transpose(const int* x, int* y, int n) {
  auto L = ?sw_layout(8, 8);
  __shared__ int tile[64];
  const int t = threadIdx.x, base = blockIdx.x * 64;
  for (int i = 0; i < 8; i++) tile[L(i, t)] = x[base + i * 8 + t];
  __syncwarp();
  for (int i = 0; i < 8; i++) y[base + i * 8 + t] = tile[L(t, i)];
}
