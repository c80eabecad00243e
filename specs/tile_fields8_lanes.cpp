void fields(const float* x, float* y, int n) {
  for (int block = 0; block < n; block += 256)
    for (int field = 0; field < 8; field++)
      for (int t = 0; t < 32; t++) y[block + field * 32 + t] = x[block + t * 8 + field];
}
