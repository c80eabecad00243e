// first line
//
// third line

// swizzle launch grid(n / 128) block(32, 2)
// swizzle instance n = 128
// swizzle check n = 256
// swizzle extent y(n + 0)
__global__ void f(const int* x, const int* table, int* y, int n) {
  const int lane = threadIdx.x;
  const int start = (blockIdx.x * 2 + threadIdx.y) * 64;
  int a[2];
  if (start + lane * 2 < n) a[0] = x[start + lane * 2];
  if (start + lane * 2 + 1 < n) a[1] = x[start + lane * 2 + 1];
  int b[1];
  if (lane < 32) b[0] = table[lane];
  int r[2];
  for (int j = 0; j < 2; j++) r[j] = a[j] + __shfl_sync(~0u, b[0], 31 - lane);
  if (start + lane * 2 < n + 0) y[start + lane * 2] = r[0];
  if (start + lane * 2 + 1 < n + 0) y[start + lane * 2 + 1] = r[1];
}
