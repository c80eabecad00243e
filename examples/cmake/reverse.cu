// Each warp turns its elements round.
#include <sizes.h>

#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 64

__global__ void reverse(const int* x, int* y, int n) {
  const int lane = threadIdx.x, i = blockIdx.x * LANES + lane;
  y[i] = __shfl_sync(0xffffffffu, x[i], ?sw_xform(lane, LANES));
}
