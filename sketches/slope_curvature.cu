// First and second differences of the same elements, to two arrays: three fetches serve five uses.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void slope_curvature(const float* x, float* slope, float* curvature, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto rc = load(x, i - lane, 1, 2);

  float v[3];
#pragma unroll
  for (int k = 0; k < 3; k++) v[k] = __shfl_sync(FULL_MASK, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
  slope[i] = v[2] - v[0];
  curvature[i] = v[2] - 2 * v[1] + v[0];
}
