// Element j of row i goes to element i of row j, in each matrix of 32 rows; elements have 2 bits.
void bits_crumbs32(const uint2* x, uint2* y, int n) {
  for (int i = 0; i < n; i++) {
    unsigned words[2] = {0, 0};
    for (int j = 0; j < 32; j++) {
      const uint2 row = x[i / 32 * 32 + j];
      const unsigned element = (i % 32 < 16 ? row.x : row.y) >> 2 * (i % 16) & 3;
      words[j / 16] |= element << 2 * (j % 16);
    }
    y[i].x = words[0];
    y[i].y = words[1];
  }
}
