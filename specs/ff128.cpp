void ff128(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  for (int p = 0; p < n; p++) {
    for (int i = 0; i < 256; i++) {
      unsigned sum = 0;
      for (int k = i < 128 ? 0 : i - 127; k <= i && k < 128; k++) sum ^= a[128 * p + k] & b[128 * p + i - k];
      c[256 * p + i] = sum;
    }
  }
}
