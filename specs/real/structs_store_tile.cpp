constexpr int kFields = 32;

void structs_store_tile(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < kFields; j++) y[kFields * i + j] = x[j * n + i];
}
