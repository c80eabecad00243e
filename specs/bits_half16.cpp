// Bit j of row i goes to bit i of row j, in each matrix of 16 rows.
void bits_half16(const unsigned short* x, unsigned short* y, int n) {
  for (int i = 0; i < n; i++) {
    unsigned row = 0;
    for (int j = 0; j < 16; j++) row |= (x[i / 16 * 16 + j] >> i % 16 & 1) << j;
    y[i] = row;
  }
}
