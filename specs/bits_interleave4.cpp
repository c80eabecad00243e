// Values 0, 2, 4, 6, 1, 3, 5, 7 from the lowest bits up; pair k is values 2k and 2k + 1 in the halves of a word.
void bits_interleave4(const unsigned* x, unsigned* packed, unsigned* pairs, int n) {
  for (int i = 0; i < n; i++) {
    packed[i] = 0;
    for (int k = 0; k < 8; k++) {
      const unsigned value = x[i] >> 4 * k & 15;
      packed[i] |= value << 4 * (k / 2 + k % 2 * 4);
    }
    for (int k = 0; k < 4; k++) pairs[4 * i + k] = (x[i] >> 8 * k & 15) | (x[i] >> (8 * k + 4) & 15) << 16;
  }
}
