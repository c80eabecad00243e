#include <cuda_fp16.h>

constexpr int kRows = 64;
constexpr int kColumns = 64;

void operand_pack_second(const half* x, half* y, int w, int h) {
  const int tiles_down = (h + kRows - 1) / kRows, tiles_across = (w + kColumns - 1) / kColumns;
  for (int i = 0; i < tiles_down; i++)
    for (int j = 0; j < tiles_across; j++)
      for (int fragment = 0; fragment < kRows * kColumns / 256; fragment++)
        for (int lane = 0; lane < 32; lane++)
          for (int e = 0; e < 8; e++) {
            const int r = kRows * i + fragment / (kColumns / 16) * 16 + e / 2 % 2 * 8 + lane % 4 * 2 + e % 2;
            const int c = kColumns * j + fragment % (kColumns / 16) * 16 + e / 4 * 8 + lane / 4;
            y[(((i * tiles_across + j) * (kRows * kColumns / 256) + fragment) * 32 + lane) * 8 + e] =
                r < h && c < w ? x[r * w + c] : half(0);
          }
}
