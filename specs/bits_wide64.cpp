// Bit j of row i goes to bit i of row j, in each matrix of 64 rows.
void bits_wide64(const unsigned long long* x, unsigned long long* y, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < 64; j++) y[i] |= (x[i / 64 * 64 + j] >> i % 64 & 1) << j;
  }
}
