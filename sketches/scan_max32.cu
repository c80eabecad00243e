// Prefix maxima of a warp in five steps: which lane to look at, and which lanes do, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void scan_max32(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const float w = __shfl_sync(FULL_MASK, v, ?sw_xform(lane, 32, d));
    if (?sw_cond(lane, d)) v = fmaxf(v, w);
  }
  y[i] = v;
}
