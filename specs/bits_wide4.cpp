// Bit j of row i goes to bit i of row j, in each matrix of 32 rows; rows stand in fours.
void bits_wide4(const uint4* x, uint4* y, int n) {
  for (int tile = 0; tile < n / 4; tile += 8) {
    unsigned rows[32], columns[32];
    for (int i = 0; i < 8; i++) {
      rows[4 * i] = x[tile + i].x;
      rows[4 * i + 1] = x[tile + i].y;
      rows[4 * i + 2] = x[tile + i].z;
      rows[4 * i + 3] = x[tile + i].w;
    }
    for (int i = 0; i < 32; i++) {
      columns[i] = 0;
      for (int j = 0; j < 32; j++) columns[i] |= (rows[j] >> i & 1) << j;
    }
    for (int i = 0; i < 8; i++) {
      y[tile + i].x = columns[4 * i];
      y[tile + i].y = columns[4 * i + 1];
      y[tile + i].z = columns[4 * i + 2];
      y[tile + i].w = columns[4 * i + 3];
    }
  }
}
