// The largest of 11 neighbours, from two registers a lane. The spec says it with an `if`.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 1024
#pragma swizzle extent x(n + 32)

__global__ void window_max(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
  const int r[2] = {x[first + lane], x[first + 32 + lane]};
  int most = -2147483647 - 1;
#pragma unroll
  for (int k = 0; k < 11; k++) most = max(most, __shfl_sync(FULL_MASK, r[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k)));
  y[first + lane] = most;
}
