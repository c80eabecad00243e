constexpr int kPoints = 9;

void stencil1d_zero(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float out = 0;
    for (int k = 0; k < kPoints; k++) {
      const int at = i + k - kPoints / 2;
      out += at >= 0 && at < n ? x[at] : 0;
    }
    y[i] = out;
  }
}
