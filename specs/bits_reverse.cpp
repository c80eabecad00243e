void bits_reverse(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; i++) {
    unsigned reversed = 0;
    for (int b = 0; b < 32; b++) reversed |= (x[i] >> b & 1) << (31 - b);
    y[i] = reversed;
  }
}
