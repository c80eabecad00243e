void linear_stride256(const float* x, float* y, int n) {
  for (int g = 0; g < n; g += 256)
    for (int a = 0; a < 16; a++)
      for (int b = 0; b < 16; b++) y[g + 16 * a + b] = x[g + 16 * b + a];
}
