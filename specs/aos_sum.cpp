constexpr int kFields = 3;

void aos_sum(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < kFields; j++) sum += x[kFields * i + j];
    y[i] = sum;
  }
}
