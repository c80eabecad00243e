// Bit b of x goes to bit 2b, bit b of y to bit 2b + 1.
void bits_morton(const unsigned short* x, const unsigned short* y, unsigned* z, int n) {
  for (int i = 0; i < n; i++) {
    z[i] = 0;
    for (int b = 0; b < 16; b++) z[i] |= unsigned(x[i] >> b & 1) << 2 * b | unsigned(y[i] >> b & 1) << (2 * b + 1);
  }
}
