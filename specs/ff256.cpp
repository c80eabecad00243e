void ff256(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  for (int p = 0; p < n; p++) {
    for (int i = 0; i < 512; i++) {
      unsigned sum = 0;
      for (int k = i < 256 ? 0 : i - 255; k <= i && k < 256; k++) sum ^= a[256 * p + k] & b[256 * p + i - k];
      c[512 * p + i] = sum;
    }
  }
}
