void transpose_batched_bytes(const unsigned char* x, unsigned char* y, int w, int h, int m) {
  for (int i = 0; i < m; i++)
    for (int r = 0; r < h; r++)
      for (int c = 0; c < w; c++) y[i * w * h + c * h + r] = x[i * w * h + r * w + c];
}
