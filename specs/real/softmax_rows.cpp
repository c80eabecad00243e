void softmax_rows(const float* x, float* y, int w, int h) {
  for (int r = 0; r < h; r++) {
    float most = x[r * w];
    for (int c = 1; c < w; c++) most = fmaxf(most, x[r * w + c]);
    float sum = 0;
    for (int c = 0; c < w; c++) sum += expf(x[r * w + c] - most);
    for (int c = 0; c < w; c++) y[r * w + c] = expf(x[r * w + c] - most) / sum;
  }
}
