void columns(const int* x, int* y, int n) {
  for (int row = 0; row < 4; row++)
    for (int column = 0; column < 6; column++) y[column * 4 + row] = x[row * 6 + column];
}
