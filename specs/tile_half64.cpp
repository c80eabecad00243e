void fragments(const unsigned short* x, unsigned short* y, unsigned short* z, int n) {
  for (int base = 0; base < n; base += 4096)
    for (int warp = 0; warp < 4; warp++)
      for (int j = 0; j < 4; j++)
        for (int lane = 0; lane < 32; lane++)
          for (int h = 0; h < 8; h++) {
            const int at = base + ((warp * 4 + j) * 32 + lane) * 8 + h;
            y[at] = x[base + (warp * 16 + lane % 16) * 64 + j * 16 + lane / 16 * 8 + h];
            z[at] = x[base + (j * 16 + lane % 8 + lane / 16 * 8) * 64 + warp * 16 + lane / 8 % 2 * 8 + h];
          }
}
