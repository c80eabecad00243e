// Every lane receives the sum of its group of four lanes: two steps, and the lane to add at each step is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void butterfly_quads(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i];
#pragma unroll
  for (int step = 0; step < 2; step++) sum += __shfl_sync(FULL_MASK, sum, ?sw_xform(lane, 32, step));
  y[i] = sum;
}
