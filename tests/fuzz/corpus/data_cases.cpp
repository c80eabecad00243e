void k(const unsigned char* x, const float* w, float* y) {
  for (int t = 0; t < 32; t++)
    for (int j = 0; j < 4; j++) y[x[4 * t + j] % 8] += w[(t + j) % 32];
}
