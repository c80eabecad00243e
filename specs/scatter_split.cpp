void scatter_split(const float* pairs, float* firsts, float* seconds, int n) {
  for (int i = 0; i < n; i++) {
    firsts[i] = pairs[2 * i];
    seconds[i] = pairs[2 * i + 1];
  }
}
