void dilate1d(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float most = x[i];
    for (int k = 1; k < 7; k++) most = fmaxf(most, x[i + k]);
    y[i] = most;
  }
}
