// Prefix sums of a warp by a tree, up and then down (Brent and Kung 1982): which lane to add is open in both.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void brent_kung_scan32(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int w = __shfl_sync(FULL_MASK, v, ?sw_xform(lane, 32, d));
    if ((lane + 1) % (2 * d) == 0) v += w;
  }
#pragma unroll
  for (int d = 8; d > 0; d /= 2) {
    const int w = __shfl_sync(FULL_MASK, v, ?sw_xform(lane, 32, d));
    if (lane >= 2 * d && (lane + 1) % (2 * d) == d) v += w;
  }
  y[i] = v;
}
