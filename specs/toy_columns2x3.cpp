void columns(const int* x, int* y, int n) {
  for (int row = 0; row < 2; row++)
    for (int column = 0; column < 3; column++) y[column * 2 + row] = x[row * 3 + column];
}
