void bit_reverse16(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    int reversed = 0;
    for (int bit = 0; bit < 4; bit++) reversed = reversed * 2 + (i >> bit) % 2;
    y[i] = x[i / 16 * 16 + reversed];
  }
}
