void stencil(const float* x, float* y, int n) {
  for (int base = 0; base < n; base += 768)
    for (int r = 0; r < 16; r++)
      for (int c = 0; c < 48; c++)
        y[base + c * 16 + r] = x[base + r * 48 + c] + x[base + r * 48 + (c > 0 ? c - 1 : c)] + x[base + (r > 0 ? r - 1 : r) * 48 + c];
}
