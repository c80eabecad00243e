// A 2x3 tile without room to spare: `column ^ row` would leave it.
#pragma swizzle machine toy8
#pragma swizzle launch grid(1) block(8)
#pragma swizzle instance n = 6

__global__ void columns(const int* x, int* y, int n) {
  auto L = ?sw_layout(2, 3);
  __shared__ int tile[6];
  const int t = threadIdx.x;
  for (int i = 0; i < 2; i++)
    if (t < 3) tile[L(i, t)] = x[i * 3 + t];
  __syncwarp();
  for (int i = 0; i < 3; i++)
    if (t < 2) y[i * 2 + t] = tile[L(t, i)];
}
