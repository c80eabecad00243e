// Each warp reverses its 32 elements: one shuffle, and the lane to read from is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 2048

__global__ void reverse(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  y[i] = __shfl_sync(FULL_MASK, x[i], ?sw_xform(lane, 32));
}
