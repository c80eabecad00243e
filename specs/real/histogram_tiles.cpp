constexpr int kBins = 8;
constexpr int kInputs = 16;
constexpr int kThreads = 256;

void histogram_tiles(const int* x, int* y, int n) {
  constexpr int kTile = kInputs * kThreads;
  for (int tile = 0; tile < (n + kTile - 1) / kTile; tile++)
    for (int b = 0; b < kBins; b++) {
      int count = 0;
      for (int i = tile * kTile; i < tile * kTile + kTile && i < n; i++) count += x[i] == b ? 1 : 0;
      y[tile * kBins + b] = count;
    }
}
