void operand(const unsigned short* x, unsigned short* y, int n) {
  for (int base = 0; base < n; base += 4096)
    for (int warp = 0; warp < 4; warp++)
      for (int j = 0; j < 4; j++)
        for (int lane = 0; lane < 32; lane++)
          for (int h = 0; h < 8; h++)
            y[base + ((warp * 4 + j) * 32 + lane) * 8 + h] = x[base + (warp * 32 + j / 2 * 16 + lane % 16) * 32 + j % 2 * 16 + lane / 16 * 8 + h];
}
