void circular_conv32(const float* x, const float* taps, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < 32; k++) sum += taps[k] * x[i / 32 * 32 + (i - k + 32) % 32];
    y[i] = sum;
  }
}
