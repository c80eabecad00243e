void fft32(const float* re, const float* im, const float* c, const float* s, float* yr, float* yi, int n) {
  for (int g = 0; g < n; g += 32) {
    float a[32], b[32];
    for (int p = 0; p < 32; p++) { a[p] = re[g + p]; b[p] = im[g + p]; }
    for (int d = 16; d > 0; d /= 2)
      for (int p = 0; p < 32; p++)
        if ((p & d) == 0) {
          const int t = p % d * (16 / d);
          const float e = a[p] - a[p + d], f = b[p] - b[p + d];
          a[p] += a[p + d];
          b[p] += b[p + d];
          a[p + d] = e * c[t] - f * s[t];
          b[p + d] = e * s[t] + f * c[t];
        }
    for (int p = 0; p < 32; p++) { yr[g + p] = a[p]; yi[g + p] = b[p]; }
  }
}
