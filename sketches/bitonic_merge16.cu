// The last steps of a bitonic sorter (Batcher 1968), of 16: with whom to compare, and who keeps the greater, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void bitonic_merge16(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i];
#pragma unroll
  for (int d = 8; d > 0; d /= 2) {
    const int w = __shfl_sync(FULL_MASK, v, ?sw_xor(lane, 32, d));
    if (?sw_cond(lane % (2 * d), d)) v = max(v, w);
    else v = min(v, w);
  }
  y[i] = v;
}
