#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int t = threadIdx.x;
  int r[3];
  for (int j = 0; j < 3; j++) r[j] = x[n * j + t];
#pragma\
 unroll
  for (int j = 0; j < 3; j++) y[n * j + t] = r[?sw_xform(j, 3, t)];
}
