// A 3x3 stencil; a warp computes a tile of 16 columns and 2 rows, and keeps the tiles around it in registers.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(w / 16, h / 4) block(32, 2)
#pragma swizzle instance w = 16, h = 4
#pragma swizzle check w = 32, h = 12
#pragma swizzle check w = 80, h = 16
#pragma swizzle extent x((w + 16) * (h + 2))

__global__ void stencil2d_3x3_16x2(const float* x, float* y, int w, int h) {
  const int col = threadIdx.x % 16;
  const int row = threadIdx.x / 16;
  const int left = blockIdx.x * 16;
  const int top = (blockIdx.y * 2 + threadIdx.y) * 2;
  const int pitch = w + 16;

  // Piece (py, px) of the halo: one element a lane.
  float rc[2][2];
  for (int py = 0; py < 2; py++)
    for (int px = 0; px < 2; px++) rc[py][px] = x[(top + 2 * py + row) * pitch + left + 16 * px + col];

  float out = 0;
  for (int ky = 0; ky < 3; ky++) {
    for (int kx = 0; kx < 3; kx++) {
      const int from = ?sw_xform(row, 2, ky) * 16 + ?sw_xform(col, 16, kx);
      out += __shfl_sync(FULL_MASK, rc[?sw_part(2, row, ky)][?sw_part(2, col, kx)], from);
    }
  }
  y[(top + row) * w + left + col] = out;
}
