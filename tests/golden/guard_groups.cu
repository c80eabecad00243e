// first line
//
// third line

// swizzle launch grid(1) block(32)
// swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  int low = 0, high = 0, both = 0, from = 0;
  float sum = 0;
  int o = 0;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    const int v = x[lane] + k;
    // Low
    if (k <= lane) {
      low ^= v;
      both += v;
      low ^= 2;
    } else {
      // High
      high ^= v + 1;  // the rest
      o ^= v & 3;
    }
    high ^= v;

    if (lane + k < 32) sum += v;
    sum += 2;
    if (lane + k > 31) sum += 3;
    if (lane == from) both += 4;
    from += k;
    if (lane != from) both += 5;
  }
  const int parity = o;
  y[lane] = low + high + both + from + sum + parity;
}
