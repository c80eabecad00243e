void one_word_for_all(const int* x, int* y, int n) {
  for (int tile = 0; tile < n; tile += 64)
    for (int row = 0; row < 8; row++)
      for (int column = 0; column < 8; column++) y[tile + column * 8 + row] = x[tile + row * 8 + column];
}
