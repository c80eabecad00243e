void fir_symmetric(const float* x, const float* taps, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float sum = taps[3] * x[i + 3];
    for (int k = 0; k < 3; k++) sum += taps[k] * (x[i + k] + x[i + 6 - k]);
    y[i] = sum;
  }
}
