// Each warp rotates its 32 integers by five places.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 2048

__global__ void rotate5(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int from = ?sw_xform(lane, 32);
  y[i] = __shfl_sync(FULL_MASK, x[i], from);
}
