// stencil1d_mirror of sketches/real.
#include "borders.h"
#include "synthesized/stencil1d_mirror.h"

struct Border {
  static __host__ __device__ int at(int i, int n) { return i < 0 ? -i : i < n ? i : 2 * n - 2 - i; }
};

template <class Synthesized>
int compete() {
  return compete_with<Synthesized, Border>();
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
