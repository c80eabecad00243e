// Circular convolution of blocks of 32 with a filter of 32 taps: each lane holds one element and one tap.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void circular_conv32(const float* x, const float* taps, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float element = x[i];
  const float tap = taps[lane];

  float sum = 0;
  for (int k = 0; k < 32; k++) sum += __shfl_sync(FULL_MASK, tap, k) * __shfl_sync(FULL_MASK, element, ?sw_xform(lane, 32, k));
  y[i] = sum;
}
