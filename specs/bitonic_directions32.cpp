void bitonic_directions32(const int* x, int* y, int n) {
  for (int b = 0; b < n; b += 32) {
    int v[32];
    for (int k = 0; k < 32; k++) v[k] = x[b + k];
    for (int k = 2; k <= 32; k *= 2)
      for (int d = k / 2; d > 0; d /= 2)
        for (int l = 0; l < 32; l++)
          if ((l & d) == 0) {
            const int lo = min(v[l], v[l + d]), hi = max(v[l], v[l + d]);
            const bool down = (l & k & 31) != 0;
            v[l] = down ? hi : lo;
            v[l + d] = down ? lo : hi;
          }
    for (int k = 0; k < 32; k++) y[b + k] = v[k];
  }
}
