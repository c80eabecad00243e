// Every lane receives the sum of its warp in five steps; the lane to add at each step is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void butterfly32(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i];
#pragma unroll
  for (int width = 16; width > 0; width /= 2) sum += __shfl_sync(FULL_MASK, sum, ?sw_xform(lane, 32, width));
  y[i] = sum;
}
