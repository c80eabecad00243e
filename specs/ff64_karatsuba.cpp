void ff64_karatsuba(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  for (int p = 0; p < n; p++) {
    for (int i = 0; i < 128; i++) {
      unsigned sum = 0;
      for (int k = i < 64 ? 0 : i - 63; k <= i && k < 64; k++) sum ^= a[64 * p + k] & b[64 * p + i - k];
      c[128 * p + i] = sum;
    }
  }
}
