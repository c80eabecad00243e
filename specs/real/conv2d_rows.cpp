constexpr int kSize = 11;
constexpr int kReach = kSize / 2;

void conv2d(const float* x, const float* weights, float* y, int w, int h) {
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++) {
      float out = 0;
      for (int ky = 0; ky < kSize; ky++)
        for (int kx = 0; kx < kSize; kx++) {
          const int at_r = r + ky - kReach, at_c = c + kx - kReach;
          const bool inside = at_r >= 0 && at_r < h && at_c >= 0 && at_c < w;
          out += weights[ky * kSize + kx] * (inside ? x[at_r * w + at_c] : 0);
        }
      y[r * w + c] = out;
    }
}
