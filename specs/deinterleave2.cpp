void deinterleave2(const float* x, float* a, float* b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = x[2 * i];
    b[i] = x[2 * i + 1];
  }
}
