void linear_morton32(const int* x, int* y, int n) {
  for (int g = 0; g < n; g += 32)
    for (int row = 0; row < 8; row++)
      for (int column = 0; column < 4; column++) {
        int m = 0;
        for (int b = 0; b < 3; b++) m |= (row >> b & 1) << (2 * b);
        for (int b = 0; b < 2; b++) m |= (column >> b & 1) << (2 * b + 1);
        y[g + m] = x[g + row * 4 + column];
      }
}
