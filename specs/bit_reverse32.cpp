void bit_reverse32(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    int reversed = 0;
    for (int bit = 0; bit < 5; bit++) reversed = reversed * 2 + (i >> bit) % 2;
    y[i] = x[i / 32 * 32 + reversed];
  }
}
