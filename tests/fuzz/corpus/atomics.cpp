void k(const int* x, int* y) {
  for (int i = 0; i < 8; i++) y[i] = 0;
  for (int i = 0; i < 128; i++) y[i / 64 * 4 + (x[i] & 3)] += 1;
}
