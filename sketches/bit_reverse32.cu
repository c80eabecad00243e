// Reorders the elements of a warp by their index with its five bits reversed. Three shuffles cannot; four can.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void bit_reverse32(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  v = __shfl_sync(FULL_MASK, v, ?sw_xform(lane, 32));
  v = __shfl_sync(FULL_MASK, v, ?sw_xform(lane, 32));
  v = __shfl_sync(FULL_MASK, v, ?sw_xform(lane, 32));
  y[i] = __shfl_sync(FULL_MASK, v, ?sw_xform(lane, 32));
}
