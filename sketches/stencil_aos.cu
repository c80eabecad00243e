// A 3-point stencil over one field of an array of structs of three floats, loaded coalesced: lane l wants words
// 3 (l + k) of the warp's, so both the register and the lane to read are open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024
#pragma swizzle extent x(3 * n + 32)

constexpr int kFields = 3;

__global__ void stencil_aos(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i - lane;

  float r[kFields + 1];
#pragma unroll
  for (int j = 0; j < kFields + 1; j++) r[j] = x[kFields * first + 32 * j + lane];

  float sum = 0;
  for (int k = 0; k < 3; k++) {
    const float field = __shfl_sync(FULL_MASK, r[?sw_xform(lane % kFields, kFields)], ?sw_xform(lane, 32, k));
    const float beyond = __shfl_sync(FULL_MASK, r[kFields], ?sw_xform(lane, 32, k));
    sum += ?sw_cond(lane, k) ? field : beyond;
  }
  y[i] = sum;
}
