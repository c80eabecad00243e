void transpose_double(const double* x, double* y, int w, int h) {
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++) y[c * h + r] = x[r * w + c];
}
