void brent_kung_scan32(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = i / 32 * 32; k <= i; k++) s += x[k];
    y[i] = s;
  }
}
