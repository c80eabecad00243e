// Prefix sums of a warp in five steps: which lane to add, and which lanes add, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void scan32(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i];
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const float before = __shfl_sync(FULL_MASK, sum, ?sw_xform(lane, 32, distance));
    if (?sw_cond(lane, distance)) sum += before;
  }
  y[i] = sum;
}
