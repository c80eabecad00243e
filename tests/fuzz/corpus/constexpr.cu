#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int t = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 2; k++) {
    constexpr const int step = ?sw_const(1, 3), turn = 1 << ?sw_const(0, 3);
    const int d = step << ?sw_const(0, 3, k);
    sum += x[(t + d * turn) % 32];
  }
  y[t] = sum;
}
