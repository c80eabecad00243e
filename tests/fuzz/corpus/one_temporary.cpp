void one_temporary(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) {
    const int least = min(x[2 * i], x[2 * i + 1]), greatest = max(x[2 * i], x[2 * i + 1]);
    y[2 * i] = greatest > 7 ? greatest : least;
    y[2 * (i ^ 1) + 1] = greatest > 7 ? least : greatest;
  }
}
