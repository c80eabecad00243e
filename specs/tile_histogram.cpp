void histogram(const int* x, int* y, int n) {
  for (int block = 0; block < n / 512; block++)
    for (int b = 0; b < 16; b++) {
      int sum = 0;
      for (int t = 0; t < 32; t++) sum += x[block * 512 + b * 32 + t];
      y[block * 16 + b] = sum;
    }
}
