// y[i] = a[i] y[i - 1] + b[i] within a warp, in five steps (Kogge and Stone 1973): partner and condition are open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void linear_recurrence32(const int* a, const int* b, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int f = a[i], v = b[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int source = ?sw_xform(lane, 32, d);
    const int g = __shfl_sync(FULL_MASK, f, source), w = __shfl_sync(FULL_MASK, v, source);
    if (?sw_cond(lane, d)) {
      v = v + f * w;
      f = f * g;
    }
  }
  y[i] = v;
}
