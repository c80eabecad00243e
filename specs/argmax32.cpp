void argmax32(const float* x, int* y, int n) {
  for (int first = 0; first < n; first += 32) {
    float most = x[first];
    int place = 0;
    for (int k = 1; k < 32; k++)
      if (x[first + k] > most) {
        most = x[first + k];
        place = k;
      }
    for (int k = 0; k < 32; k++) y[first + k] = place;
  }
}
