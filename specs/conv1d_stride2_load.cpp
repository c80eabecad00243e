void conv1d_stride2_load(const float* x, const float* w, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float out = 0;
    for (int k = 0; k < 4; k++) out += w[k] * x[2 * i + k];
    y[i] = out;
  }
}
