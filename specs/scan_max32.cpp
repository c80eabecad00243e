void scan_max32(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float s = x[i];
    for (int k = i / 32 * 32; k <= i; k++) s = fmaxf(s, x[k]);
    y[i] = s;
  }
}
