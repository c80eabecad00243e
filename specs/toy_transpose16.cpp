void transpose(const int* x, int* y, int n) {
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) y[column * n + row] = x[row * n + column];
}
