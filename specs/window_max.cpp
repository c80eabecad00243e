void window_max(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) {
    int most = x[i];
    for (int k = 1; k < 11; k++)
      if (x[i + k] > most) most = x[i + k];
    y[i] = most;
  }
}
