constexpr int kDegree = 64;

void product(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  for (int p = 0; p < n; p++)
    for (int i = 0; i < 2 * kDegree; i++) {
      unsigned sum = 0;
      for (int k = i < kDegree ? 0 : i - kDegree + 1; k <= i && k < kDegree; k++) sum ^= a[kDegree * p + k] & b[kDegree * p + i - k];
      c[2 * kDegree * p + i] = sum;
    }
}
