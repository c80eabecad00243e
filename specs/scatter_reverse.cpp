void scatter_reverse(const float* x, float* y, int n) {
  for (int first = 0; first < n; first += 64)
    for (int i = 0; i < 64; i++) y[first + i] = x[first + 63 - i];
}
