void linear_tile16(const float* x, float* y, int n) {
  for (int g = 0; g < n; g += 256)
    for (int r = 0; r < 16; r++)
      for (int c = 0; c < 16; c++) y[g + 16 * r + c] = x[g + 16 * c + r];
}
