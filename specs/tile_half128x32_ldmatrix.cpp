#include <cuda_fp16.h>

void operand(const half* x, half* y, int n) {
  for (int base = 0; base < n; base += 4096)
    for (int warp = 0; warp < 4; warp++)
      for (int j = 0; j < 4; j++)
        for (int lane = 0; lane < 32; lane++)
          for (int m = 0; m < 4; m++)
            for (int h = 0; h < 2; h++) {
              const int r = warp * 32 + j / 2 * 16 + m % 2 * 8 + lane / 4, c = j % 2 * 16 + m / 2 * 8 + lane % 4 * 2 + h;
              y[base + ((warp * 4 + j) * 32 + lane) * 8 + m * 2 + h] = x[base + r * 32 + c];
            }
}
