#include <sizes.h>

void reverse(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i - i % LANES + kLast - i % LANES];
}
