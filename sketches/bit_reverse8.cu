// Reorders every eight elements by their index with its three bits reversed, as a radix-2 FFT of length 8 does. No single
// transformation reverses three bits; two, one after the other, do.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void bit_reverse8(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float turned = __shfl_sync(FULL_MASK, x[i], ?sw_xform(lane, 32));
  y[i] = __shfl_sync(FULL_MASK, turned, ?sw_xform(lane, 32));
}
