constexpr int kFields = 3;

void structs_store_half(const unsigned short* x, unsigned short* y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < kFields; j++) y[kFields * i + j] = x[j * n + i];
}
