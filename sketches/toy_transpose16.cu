// 16x16 words in four tiles of 8x8, one block of 8 threads for each, on a machine with 8 banks.
#pragma swizzle machine toy8
#pragma swizzle launch grid(2, 2) block(8)
#pragma swizzle instance n = 16

__global__ void transpose(const int* x, int* y, int n) {
  auto L = ?sw_layout(8, 8);
  __shared__ int tile[64];
  const int t = threadIdx.x, row = blockIdx.y * 8, column = blockIdx.x * 8;
  for (int i = 0; i < 8; i++) tile[L(i, t)] = x[(row + i) * n + column + t];
  __syncwarp();
  for (int i = 0; i < 8; i++) y[(column + i) * n + row + t] = tile[L(t, i)];
}
