void transpose(const float* x, float* y, int n) {
  for (int tile = 0; tile < n; tile += 1024)
    for (int row = 0; row < 32; row++)
      for (int column = 0; column < 32; column++) y[tile + column * 32 + row] = x[tile + row * 32 + column];
}
