constexpr int kFields = 8;

void structs_gather(const float* x, const int* index, float* y, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < kFields; j++) y[j * n + i] = x[kFields * index[i] + j];
}
