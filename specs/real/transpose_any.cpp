void transpose_any(const float* x, float* y, int w, int h) {
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++) y[c * h + r] = x[r * w + c];
}
