#include <cuda_fp16.h>

void fragments(const half* x, half* y, half* z, int n) {
  for (int base = 0; base < n; base += 4096)
    for (int warp = 0; warp < 4; warp++)
      for (int j = 0; j < 4; j++)
        for (int lane = 0; lane < 32; lane++)
          for (int m = 0; m < 4; m++)
            for (int h = 0; h < 2; h++) {
              const int at = base + ((warp * 4 + j) * 32 + lane) * 8 + m * 2 + h;
              const int line = lane / 4, pair = lane % 4 * 2 + h, r = m % 2 * 8, c = m / 2 * 8;
              y[at] = x[base + (warp * 16 + r + line) * 64 + j * 16 + c + pair];
              z[at] = x[base + (j * 16 + r + pair) * 64 + warp * 16 + c + line];
            }
}
