void sort_with_wrong_distances(const int* keys, const float* values, int* sorted, float* with, int n) {
  for (int b = 0; b < n; b += 8) {
    int k[8];
    float v[8];
    for (int i = 0; i < 8; i++) k[i] = keys[b + i], v[i] = values[b + i];
    for (int a = 0; a < 8; a++)
      for (int c = 0; c < 7; c++)
        if (k[c + 1] < k[c]) {
          const int q = k[c];
          k[c] = k[c + 1];
          k[c + 1] = q;
          const float w = v[c];
          v[c] = v[c + 1];
          v[c + 1] = w;
        }
    for (int i = 0; i < 8; i++) sorted[b + i] = k[i], with[b + i] = v[i];
  }
}
