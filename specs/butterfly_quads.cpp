void butterfly_quads(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += x[i / 4 * 4 + k];
    y[i] = sum;
  }
}
