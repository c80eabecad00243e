// Nibble i is the low half of byte i of the eight bytes of x and y.
void bits_pack4(const uint2* x, unsigned* y, int n) {
  for (int t = 0; t < n / 2; t++) {
    unsigned packed = 0;
    for (int i = 0; i < 4; i++) packed |= (x[t].x >> 8 * i & 15) << 4 * i | (x[t].y >> 8 * i & 15) << (16 + 4 * i);
    y[t] = packed;
  }
}
