void conv1d(const float* x, const float* w, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float out = 0;
    for (int k = 0; k < 3; k++) out += w[k] * x[i + k];
    y[i] = out;
  }
}
