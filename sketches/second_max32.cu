// The greatest two of a warp's elements: which lane to meet in each step is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void second_max32(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int most = x[warp * 32 + lane], second = -2147483647 - 1;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int source = ?sw_xor(lane, 32, d);
    const int other = __shfl_sync(FULL_MASK, most, source), next = __shfl_sync(FULL_MASK, second, source);
    second = max(min(most, other), max(second, next));
    most = max(most, other);
  }
  if (lane == 0) {
    y[2 * warp] = most;
    y[2 * warp + 1] = second;
  }
}
