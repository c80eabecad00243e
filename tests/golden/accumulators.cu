// first line
//
// third line

#include <cuda_runtime.h>
// swizzle launch grid(1) block(32)
// swizzle instance n = 32
__global__ void f(const unsigned* x, const unsigned* w, unsigned* y, unsigned* z, int n) {
  const int lane = threadIdx.x;
  unsigned int o = 0;
  unsigned int s = 7;
  unsigned mine = x[lane], p = w[lane];
  for (int k = 0; k < 2; k++) {
    unsigned a = __shfl_sync(0xffffffffu, mine, (lane + k) & 31);
    if (k <= lane) o ^= a & (p | 1);
    o ^= a;
    if (k > 0) { if (lane > 3 && (lane != 9)) s += a + p; }
    s += p;
  }
  y[lane] = o;
  z[lane] = s;
}
