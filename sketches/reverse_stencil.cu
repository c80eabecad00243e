// A 5-point stencil whose output array is reversed within each warp: lane l computes the sum of element 31 - l.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void reverse_stencil(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto rc = load(x, i - lane, 1, 2);

  float sum = 0;
  for (int k = 0; k < 5; k++) sum += __shfl_sync(FULL_MASK, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
  y[i] = sum;
}
