// Prefix sums of segments, which begin where `head` is set (Schwartz 1980): whom to ask, and who adds, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void segmented_scan32(const int* x, const int* head, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[i], begun = head[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int from = ?sw_xform(lane, 32, d);
    const int w = __shfl_sync(FULL_MASK, v, from), others = __shfl_sync(FULL_MASK, begun, from);
    if (?sw_cond(lane, d)) {
      if (begun == 0) v += w;
      begun |= others;
    }
  }
  y[i] = v;
}
