void bit_reverse8(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    const int reversed = (i % 2) * 4 + (i / 2 % 2) * 2 + (i / 4 % 2);
    y[i] = x[i / 8 * 8 + reversed];
  }
}
