void conv2d_7x7(const float* x, const float* weights, float* y, int w, int h) {
  const int pitch = w + 8;
  for (int r = 0; r < h; r++) {
    for (int c = 0; c < w; c++) {
      float out = 0;
      for (int ky = 0; ky < 7; ky++)
        for (int kx = 0; kx < 7; kx++) out += weights[ky * 7 + kx] * x[(r + ky) * pitch + c + kx];
      y[r * w + c] = out;
    }
  }
}
