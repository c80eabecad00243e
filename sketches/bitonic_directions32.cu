// A bitonic sorter of a warp (Batcher 1968): with whom to compare at each of its 15 steps is open, and who keeps what.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void bitonic_directions32(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i];
#pragma unroll
  for (int k = 2; k <= 32; k *= 2) {
#pragma unroll
    for (int d = k / 2; d > 0; d /= 2) {
      const int w = __shfl_sync(FULL_MASK, v, ?sw_xor(lane, 32, d));
      if (?sw_cond(lane & d, 0) != ?sw_cond(lane & k, 0)) v = max(v, w);
      else v = min(v, w);
    }
  }
  y[i] = v;
}
