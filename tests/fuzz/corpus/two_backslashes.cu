#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
#pragma swizzle extent\\
x(n)
__global__ void two_backslashes(const int* x, int* y, int n) {
  const int t = threadIdx.x;
  y[t] = x[?sw_xform(t, 32)];
}
