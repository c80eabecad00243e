// Element j of row i goes to element i of row j, in each matrix of 32 rows; elements have 4 bits.
void bits_nibbles32(const uint4* x, uint4* y, int n) {
  for (int i = 0; i < n; i++) {
    unsigned words[4] = {0, 0, 0, 0};
    for (int j = 0; j < 32; j++) {
      const uint4 row = x[i / 32 * 32 + j];
      const int word = i % 32 / 8;
      const unsigned from = word == 0 ? row.x : word == 1 ? row.y : word == 2 ? row.z : row.w;
      words[j / 8] |= (from >> 4 * (i % 8) & 15) << 4 * (j % 8);
    }
    y[i].x = words[0];
    y[i].y = words[1];
    y[i].z = words[2];
    y[i].w = words[3];
  }
}
