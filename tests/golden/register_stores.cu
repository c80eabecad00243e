// first line
//
// third line

// swizzle launch grid(1) block(32)
// swizzle instance n = 64
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float r[2] = {};
  for (int k = 0; k < 2; k++) (k < 1 ? r[0] : r[1]) = x[32 * k + lane];
  for (int k = 0; k < 2; k++) (((lane + k) & 1) == 0 ? r[0] : r[1]) += 1;
  for (int k = 0; k < 2; k++) y[32 * k + lane] = r[k];
}
