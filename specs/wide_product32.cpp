void wide_product32(const int* a, const int* b, long long* c, int n) {
  for (int p = 0; p < n; p++)
    for (int i = 0; i < 64; i++) {
      long long sum = 0;
      for (int k = i < 32 ? 0 : i - 31; k <= i && k < 32; k++) sum += (long long)a[32 * p + k] * b[32 * p + i - k];
      c[64 * p + i] = sum;
    }
}
