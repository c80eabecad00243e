// Bit b of byte p of block k goes to bit k of byte p of slice b; blocks and slices are four words each.
void bits_slices(const unsigned* x, unsigned* y, int n) {
  for (int tile = 0; tile < n; tile += 32)
    for (int b = 0; b < 8; b++)
      for (int word = 0; word < 4; word++) {
        unsigned slice = 0;
        for (int byte = 0; byte < 4; byte++)
          for (int k = 0; k < 8; k++) slice |= (x[tile + 4 * k + word] >> (8 * byte + b) & 1) << (8 * byte + k);
        y[tile + 4 * b + word] = slice;
      }
}
