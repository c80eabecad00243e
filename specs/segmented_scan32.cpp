void segmented_scan32(const int* x, const int* head, int* y, int n) {
  for (int warp = 0; warp < n; warp += 32) {
    int sum = 0;
    for (int i = warp; i < warp + 32; i++) {
      if (head[i] != 0) sum = 0;
      sum += x[i];
      y[i] = sum;
    }
  }
}
