void allreduce32(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < 32; k++) s += x[i / 32 * 32 + k];
    y[i] = s;
  }
}
