void stencil2d_3x3_load(const float* x, float* y, int w, int h) {
  const int pitch = w + 8;
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++) {
      float out = 0;
      for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++) out += x[(r + ky) * pitch + c + kx];
      y[r * w + c] = out;
    }
}
