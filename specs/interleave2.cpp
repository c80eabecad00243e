void interleave2(const float* a, const float* b, float* y, int n) {
  for (int i = 0; i < n; i++) {
    y[2 * i] = a[i];
    y[2 * i + 1] = b[i];
  }
}
