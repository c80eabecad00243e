void second_max32(const int* x, int* y, int n) {
  for (int warp = 0; warp < n / 32; warp++) {
    int most = x[32 * warp], second = -2147483647 - 1;
    for (int k = 1; k < 32; k++) {
      const int v = x[32 * warp + k];
      second = max(second, min(most, v));
      most = max(most, v);
    }
    y[2 * warp] = most;
    y[2 * warp + 1] = second;
  }
}
