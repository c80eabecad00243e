// Bit j of row i goes to bit i of row j, in each matrix of 32 rows.
void bits_hybrid(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; i++) {
    unsigned row = 0;
    for (int j = 0; j < 32; j++) row |= (x[i / 32 * 32 + j] >> i % 32 & 1) << j;
    y[i] = row;
  }
}
