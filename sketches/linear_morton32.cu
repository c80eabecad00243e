// Tiles of 8 rows and 4 columns to Morton order (Morton 1966), whose index has the bits of column and row by turns: from
// where a lane takes its element is a linear map of the bits of its number.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void linear_morton32(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __shfl_sync(FULL_MASK, x[i], ?sw_linear(lane, 32));
}
