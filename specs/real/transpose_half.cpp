void transpose_half(const unsigned short* x, unsigned short* y, int w, int h) {
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++) y[c * h + r] = x[r * w + c];
}
