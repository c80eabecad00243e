// A 64x64 tile of halves: 128-bit stores by rows, then 16x16 fragments of it and of its transpose, 8 halves a lane.
#pragma swizzle launch grid(n / 4096) block(128)
#pragma swizzle instance n = 4096

__global__ void fragments(const unsigned short* x, unsigned short* y, unsigned short* z, int n) {
  auto L = ?sw_layout(64, 64);
  __shared__ unsigned short tile[64 * 64];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 4096;
  for (int i = 0; i < 4; i++) {
    const int r = i * 16 + t / 8, c = t % 8 * 8;
    *reinterpret_cast<uint4*>(&tile[L(r, c)]) = *reinterpret_cast<const uint4*>(&x[base + r * 64 + c]);
  }
  __syncthreads();
  for (int j = 0; j < 4; j++) {
    const int at = base + ((warp * 4 + j) * 32 + lane) * 8;
    const int r = warp * 16 + lane % 16, c = j * 16 + lane / 16 * 8;
    *reinterpret_cast<uint4*>(&y[at]) = *reinterpret_cast<const uint4*>(&tile[L(r, c)]);
    const int s = j * 16 + lane % 8 + lane / 16 * 8, d = warp * 16 + lane / 8 % 2 * 8;
    *reinterpret_cast<uint4*>(&z[at]) = *reinterpret_cast<const uint4*>(&tile[L(s, d)]);
  }
}
