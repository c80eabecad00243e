// Reorders the elements of a warp by their index with its five bits reversed, in one shuffle: any linear map of the
// lane's bits is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void linear_reverse32(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __shfl_sync(FULL_MASK, x[i], ?sw_linear(lane, 32));
}
