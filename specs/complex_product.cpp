void complex_product(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; i += 2) {
    c[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
    c[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
  }
}
