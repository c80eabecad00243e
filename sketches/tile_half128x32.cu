// A 128x32 operand tile of halves, K along its rows: 128-bit stores by rows, then 16x16 fragments, 8 halves a lane.
#pragma swizzle launch grid(n / 4096) block(128)
#pragma swizzle instance n = 4096

__global__ void operand(const unsigned short* x, unsigned short* y, int n) {
  auto L = ?sw_layout(128, 32);
  __shared__ unsigned short tile[128 * 32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 4096;
  for (int i = 0; i < 4; i++) {
    const int r = i * 32 + t / 4, c = t % 4 * 8;
    *reinterpret_cast<uint4*>(&tile[L(r, c)]) = *reinterpret_cast<const uint4*>(&x[base + r * 32 + c]);
  }
  __syncthreads();
  for (int j = 0; j < 4; j++) {
    const int r = warp * 32 + j / 2 * 16 + lane % 16, c = j % 2 * 16 + lane / 16 * 8;
    *reinterpret_cast<uint4*>(&y[base + ((warp * 4 + j) * 32 + lane) * 8]) = *reinterpret_cast<const uint4*>(&tile[L(r, c)]);
  }
}
