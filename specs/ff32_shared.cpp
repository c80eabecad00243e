void ff32_shared(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  for (int p = 0; p < n; p++) {
    for (int i = 0; i < 64; i++) {
      unsigned sum = 0;
      for (int k = i < 32 ? 0 : i - 31; k <= i && k < 32; k++) sum ^= a[32 * p + k] & b[32 * p + i - k];
      c[64 * p + i] = sum;
    }
  }
}
