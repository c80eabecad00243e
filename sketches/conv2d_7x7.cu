// A 7x7 convolution; a warp computes a tile of 8 columns and 4 rows, and keeps the tiles around it in registers.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(w / 8, h / 8) block(32, 2)
#pragma swizzle instance w = 8, h = 8
#pragma swizzle check w = 16, h = 24
#pragma swizzle check w = 40, h = 32
#pragma swizzle extent x((w + 8) * (h + 8))

__global__ void conv2d_7x7(const float* x, const float* weights, float* y, int w, int h) {
  const int col = threadIdx.x % 8;
  const int row = threadIdx.x / 8;
  const int left = blockIdx.x * 8;
  const int top = (blockIdx.y * 2 + threadIdx.y) * 4;
  const int pitch = w + 8;

  // Piece (py, px) of the halo: one element a lane.
  float rc[3][2];
  for (int py = 0; py < 3; py++)
    for (int px = 0; px < 2; px++) rc[py][px] = x[(top + 4 * py + row) * pitch + left + 8 * px + col];

  float out = 0;
  for (int ky = 0; ky < 7; ky++) {
    for (int kx = 0; kx < 7; kx++) {
      const int from = ?sw_xform(row, 4, ky) * 8 + ?sw_xform(col, 8, kx);
      out += weights[ky * 7 + kx] * __shfl_sync(FULL_MASK, rc[?sw_part(3, row, ky)][?sw_part(2, col, kx)], from);
    }
  }
  y[(top + row) * w + left + col] = out;
}
