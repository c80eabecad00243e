constexpr int kFields = 3;

void stencil_aos(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += x[kFields * (i + k)];
    y[i] = sum;
  }
}
