void scatter_tile8(const float* x, float* y, int n) {
  for (int first = 0; first < n; first += 64)
    for (int row = 0; row < 8; row++)
      for (int column = 0; column < 8; column++) y[first + column * 8 + row] = x[first + row * 8 + column];
}
