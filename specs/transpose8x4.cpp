void transpose8x4(const float* x, float* y, int n) {
  for (int m = 0; m < n / 32; m++)
    for (int row = 0; row < 8; row++)
      for (int col = 0; col < 4; col++) y[32 * m + 8 * col + row] = x[32 * m + 4 * row + col];
}
