constexpr int kFields = 3;

void structs_load_half(const unsigned short* x, unsigned short* y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < kFields; j++) y[j * n + i] = x[kFields * i + j];
}
