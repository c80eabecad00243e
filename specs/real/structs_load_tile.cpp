constexpr int kFields = 32;

void structs_load_tile(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < kFields; j++) y[j * n + i] = x[kFields * i + j];
}
