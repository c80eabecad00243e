constexpr int kOutputs = 4;
constexpr int kThreads = 256;

void scan_tiles(const float* x, float* y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % (kOutputs * kThreads) == 0) sum = 0;
    sum += x[i];
    y[i] = sum;
  }
}
