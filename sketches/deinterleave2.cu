// Splits pairs into two arrays, x = a0 b0 a1 b1 …: a warp reads 64 elements, coalesced, in two registers. Registers are
// exchanged within lanes so that each lane sends one element at a time.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void deinterleave2(const float* x, float* a, float* b, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = 2 * (i - lane);
  const float r[2] = {x[first + lane], x[first + 32 + lane]};

  float part[2];
#pragma unroll
  for (int j = 0; j < 2; j++) part[j] = __shfl_sync(FULL_MASK, r[?sw_xform(j, 2, lane)], ?sw_xform(lane, 32, j));
  a[i] = part[?sw_part(2, lane)];
  b[i] = part[?sw_part(2, lane)];
}
