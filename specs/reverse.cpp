void reverse(const float* x, float* y, int n) {
  for (int warp = 0; warp < n / 32; warp++)
    for (int i = 0; i < 32; i++) y[32 * warp + i] = x[32 * warp + 31 - i];
}
