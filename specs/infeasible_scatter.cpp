void infeasible_scatter(const float* x, float* y, int n) {
  for (int first = 0; first < n; first += 32)
    for (int i = 0; i < 32; i++) {
      int reversed = 0;
      for (int bit = 0; bit < 5; bit++) reversed |= (i >> bit & 1) << (4 - bit);
      y[first + reversed] = x[first + i];
    }
}
