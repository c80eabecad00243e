// A 4x6 tile without room to spare: `column ^ row` would leave it.
#pragma swizzle machine toy8
#pragma swizzle launch grid(1) block(8)
#pragma swizzle instance n = 24

__global__ void columns(const int* x, int* y, int n) {
  auto L = ?sw_layout(4, 6);
  __shared__ int tile[24];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; i++)
    if (t < 6) tile[L(i, t)] = x[i * 6 + t];
  __syncwarp();
  for (int i = 0; i < 6; i++)
    if (t < 4) y[i * 4 + t] = tile[L(t, i)];
}
