void linear_recurrence32(const int* a, const int* b, int* y, int n) {
  for (int i = 0; i < n; i++) y[i] = i % 32 == 0 ? b[i] : b[i] + a[i] * y[i - 1];
}
