// Every lane receives the sum of its warp: five steps, and the lane to add at each step is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void allreduce32(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_sync(FULL_MASK, v, ?sw_xor(lane, 32, d));
  y[i] = v;
}
