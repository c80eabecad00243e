#pragma swizzle launch grid(1) block(32)
__global__ void k(const unsigned char* x, const float* w, float* y) {
  const int t = threadIdx.x;
  float sums[8] = {};
  for (int j = 0; j < 4; j++) sums[x[4 * t + j] % 8] += w[?sw_xform(t, 32, j)];
  for (int j = 0; j < 8; j++) atomicAdd(&y[j], sums[j]);
}
