void slope_curvature(const float* x, float* slope, float* curvature, int n) {
  for (int i = 0; i < n; i++) {
    slope[i] = x[i + 2] - x[i];
    curvature[i] = x[i + 2] - 2 * x[i + 1] + x[i];
  }
}
