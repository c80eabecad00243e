// A 16x16 tile of halves: 64-bit stores by rows, 16 threads a line; then 128-bit loads, 16 threads down a column.
#pragma swizzle launch grid(n / 256) block(32)
#pragma swizzle instance n = 256
#pragma swizzle check n = 512

__global__ void tile16(const unsigned short* x, unsigned short* y, int n) {
  auto L = ?sw_layout(16, 16);
  __shared__ unsigned short tile[256];
  const int lane = threadIdx.x, base = blockIdx.x * 256;
  for (int i = 0; i < 2; i++) {
    const int r = i * 8 + lane / 4, c = lane % 4 * 4;
    *reinterpret_cast<ushort4*>(&tile[L(r, c)]) = *reinterpret_cast<const ushort4*>(&x[base + r * 16 + c]);
  }
  __syncwarp();
  const int r = lane % 16, c = lane / 16 * 8;
  *reinterpret_cast<uint4*>(&y[base + lane * 8]) = *reinterpret_cast<const uint4*>(&tile[L(r, c)]);
}
