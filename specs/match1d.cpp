void match1d(const float* x, const float* pattern, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float distance = 0;
    for (int k = 0; k < 9; k++) distance += (x[i + k] - pattern[k]) * (x[i + k] - pattern[k]);
    y[i] = distance;
  }
}
