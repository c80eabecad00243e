// Greyscale dilation: the maximum of seven neighbours, from two registers a lane.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void dilate1d(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto rc = load(x, i - lane, 1, 2);

  float most = __shfl_sync(FULL_MASK, rc[?sw_part(2, lane)], ?sw_xform(lane, 32));
  for (int k = 1; k < 7; k++) most = fmaxf(most, __shfl_sync(FULL_MASK, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k)));
  y[i] = most;
}
