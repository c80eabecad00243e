// One variable without a first value swaps in two branches on data, one behind the other.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32

__global__ void one_temporary(const int* x, int* y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  int a = x[2 * i], b = x[2 * i + 1], t;
  if (a > b) { t = a; a = b; b = t; }
  if (b > 7) { t = a; a = b; b = t; }
  y[2 * i] = a;
  y[2 * i + 1] = __shfl_sync(0xffffffffu, b, ?sw_xor(threadIdx.x, 32));
}
