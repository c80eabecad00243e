// A 3x3 stencil on a tile of 8 columns and 4 rows a warp. How many pieces of that size the halo takes in each direction,
// and how far the rows of x are apart, is left open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(w / 8, h / 8) block(32, 2)
#pragma swizzle instance w = 8, h = 8
#pragma swizzle check w = 16, h = 24
#pragma swizzle check w = 40, h = 32
#pragma swizzle extent x((w + 8) * (h + 4))

__global__ void stencil2d_3x3_load(const float* x, float* y, int w, int h) {
  const int col = threadIdx.x % 8;
  const int row = threadIdx.x / 8;
  const int left = blockIdx.x * 8;
  const int top = (blockIdx.y * 2 + threadIdx.y) * 4;
  const int pitch = w + ?sw_const(0, 17);
  const int pieces_down = ?sw_const(1, 4);
  const int pieces_across = ?sw_const(1, 4);

  float rc[pieces_down][pieces_across];
  for (int py = 0; py < pieces_down; py++)
    for (int px = 0; px < pieces_across; px++) rc[py][px] = x[(top + 4 * py + row) * pitch + left + 8 * px + col];

  float out = 0;
  for (int ky = 0; ky < 3; ky++) {
    for (int kx = 0; kx < 3; kx++) {
      const int from = ?sw_xform(row, 4, ky) * 8 + ?sw_xform(col, 8, kx);
      out += __shfl_sync(FULL_MASK, rc[?sw_part(pieces_down, row, ky)][?sw_part(pieces_across, col, kx)], from);
    }
  }
  y[(top + row) * w + left + col] = out;
}
