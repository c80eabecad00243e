void sort_pairs8(const int* keys, const float* values, int* sorted, float* with, int n) {
  for (int first = 0; first < n; first += 32) {
    int key[32];
    float value[32];
    for (int l = 0; l < 32; l++) key[l] = keys[first + l], value[l] = values[first + l];
    for (int size = 2; size <= 8; size *= 2)
      for (int d = size / 2; d > 0; d /= 2)
        for (int l = 0; l < 32; l++) {
          const int other = l + d;
          if ((l & d) != 0) continue;
          const bool rises = (l & size) == 0;
          if (rises ? key[other] < key[l] : key[l] < key[other]) {
            const int k = key[l];
            const float v = value[l];
            key[l] = key[other], value[l] = value[other];
            key[other] = k, value[other] = v;
          }
        }
    for (int l = 0; l < 32; l++) sorted[first + l] = key[l], with[first + l] = value[l];
  }
}
