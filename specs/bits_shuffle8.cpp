// In each group of eight rows, bit c of byte b of row r goes to bit r of byte b of row c.
void bits_shuffle8(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; i++) {
    unsigned row = 0;
    for (int bit = 0; bit < 32; bit++) row |= (x[i / 8 * 8 + bit % 8] >> (bit / 8 * 8 + i % 8) & 1) << bit;
    y[i] = row;
  }
}
