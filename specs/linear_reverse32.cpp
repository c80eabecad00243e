void linear_reverse32(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    int r = 0;
    for (int b = 0; b < 5; b++) r = r * 2 + (i >> b) % 2;
    y[i] = x[i / 32 * 32 + r];
  }
}
