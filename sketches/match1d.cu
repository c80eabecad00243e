// How far 9 elements are from a template, as the sum of squared differences; in registers, like a stencil.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void match1d(const float* x, const float* pattern, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - lane;
  auto rc = load(x, warpOffset, /* slice */ 1, /* iterations */ 2);

  float distance = 0;
  for (int k = 0; k < 9; k++) {
    const float v = __shfl_sync(FULL_MASK, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
    const float d = v - pattern[k];
    distance += d * d;
  }
  y[warpOffset + lane] = distance;
}
