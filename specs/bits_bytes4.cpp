// Byte j of word i goes to byte i of word j.
void bits_bytes4(const uint4* x, uint4* y, int n) {
  for (int t = 0; t < n / 4; t++) {
    const unsigned rows[4] = {x[t].x, x[t].y, x[t].z, x[t].w};
    unsigned columns[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) columns[j] |= (rows[i] >> 8 * j & 0xff) << 8 * i;
    y[t].x = columns[0];
    y[t].y = columns[1];
    y[t].z = columns[2];
    y[t].w = columns[3];
  }
}
