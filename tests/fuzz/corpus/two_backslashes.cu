#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle extent\\
x(n)

__global__ void two_backslashes(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int w = __shfl_sync(FULL_MASK, v, ?sw_xor(lane, 32, d));
    if (?sw_cond(lane, d)) v = w;
  }
  y[i] = v;
}
