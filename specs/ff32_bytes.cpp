unsigned product(unsigned a, unsigned b) {
  unsigned p = 0;
  for (int bit = 0; bit < 8; bit++) {
    if (b >> bit & 1) p ^= a;
    a = a << 1 ^ (a & 128 ? 283 : 0);
  }
  return p;
}

void ff32_bytes(const unsigned char* a, const unsigned char* b, unsigned char* c, int n) {
  for (int p = 0; p < n; p++) {
    for (int i = 0; i < 64; i++) {
      unsigned sum = 0;
      for (int k = i < 32 ? 0 : i - 31; k <= i && k < 32; k++) sum ^= product(a[32 * p + k], b[32 * p + i - k]);
      c[64 * p + i] = sum;
    }
  }
}
