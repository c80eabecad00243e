void tile16(const unsigned short* x, unsigned short* y, int n) {
  for (int base = 0; base < n; base += 256)
    for (int lane = 0; lane < 32; lane++)
      for (int h = 0; h < 8; h++) y[base + lane * 8 + h] = x[base + (lane / 2) * 16 + lane % 2 * 8 + h];
}
