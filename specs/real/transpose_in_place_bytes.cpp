void transpose_in_place_bytes(unsigned char* x, int n) {
  for (int r = 0; r < n; r++)
    for (int c = 0; c <= r; c++) {
      const unsigned char kept = x[r * n + c];
      x[r * n + c] = x[c * n + r];
      x[c * n + r] = kept;
    }
}
