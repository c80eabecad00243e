void scan32(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = i / 32 * 32; k <= i; k++) sum += x[k];
    y[i] = sum;
  }
}
