void transposed_sums8(const int* x, int* y, int n) {
  for (int g = 0; g < n; g += 8)
    for (int k = 0; k < 8; k++) {
      int sum = 0;
      for (int l = 0; l < 8; l++) sum += x[(g + l) * 8 + k];
      y[g + k] = sum;
    }
}
