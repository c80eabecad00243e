void compact_offsets(const float* x, int* y, int n) {
  for (int i = 0; i < n; i++) {
    int before = 0;
    for (int k = i / 32 * 32; k < i; k++) before += x[k] > 0.0f;
    y[i] = before;
  }
}
