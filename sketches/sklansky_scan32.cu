// Prefix sums of a warp in five steps (Sklansky 1960): which lane to add, and which lanes add, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void sklansky_scan32(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int w = __shfl_sync(FULL_MASK, v, ?sw_xform(lane / d * d, 32, d));
    if (?sw_cond(lane % (2 * d), d)) v += w;
  }
  y[i] = v;
}
