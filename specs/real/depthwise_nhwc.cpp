constexpr int kChannels = 64;

void depthwise_nhwc(const float* x, const float* weights, float* y, int w, int h) {
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++)
      for (int channel = 0; channel < kChannels; channel++) {
        float out = 0;
        for (int ky = 0; ky < 3; ky++)
          for (int kx = 0; kx < 3; kx++) {
            const int at_r = r + ky - 1, at_c = c + kx - 1;
            const bool inside = at_r >= 0 && at_r < h && at_c >= 0 && at_c < w;
            out += weights[kChannels * (3 * ky + kx) + channel] * (inside ? x[(at_r * w + at_c) * kChannels + channel] : 0);
          }
        y[(r * w + c) * kChannels + channel] = out;
      }
}
