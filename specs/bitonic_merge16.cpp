void bitonic_merge16(const int* x, int* y, int n) {
  for (int b = 0; b < n; b += 16) {
    int v[16];
    for (int k = 0; k < 16; k++) v[k] = x[b + k];
    for (int d = 8; d > 0; d /= 2)
      for (int k = 0; k < 16; k++)
        if ((k & d) == 0) {
          const int lo = min(v[k], v[k + d]), hi = max(v[k], v[k + d]);
          v[k] = lo;
          v[k + d] = hi;
        }
    for (int k = 0; k < 16; k++) y[b + k] = v[k];
  }
}
