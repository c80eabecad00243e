void transpose32(const float* x, float* y, int w, int h) {
  for (int row = 0; row < h; row++)
    for (int col = 0; col < w; col++) y[col * h + row] = x[row * w + col];
}
