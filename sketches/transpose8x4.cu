// Transposes matrices of 8 rows and 4 columns; a warp holds one, an element a lane.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void transpose8x4(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __shfl_sync(FULL_MASK, x[i], ?sw_xform(lane, 32));
}
