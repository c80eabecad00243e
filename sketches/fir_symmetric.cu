// A symmetric filter of seven taps: elements at equal distance from the centre are added before they are weighed.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void fir_symmetric(const float* x, const float* taps, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto rc = load(x, i - lane, 1, 2);

  float sum = 0;
  for (int k = 0; k < 3; k++) {
    const float before = __shfl_sync(FULL_MASK, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
    const float after = __shfl_sync(FULL_MASK, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
    sum += taps[k] * (before + after);
  }
  sum += taps[3] * __shfl_sync(FULL_MASK, rc[?sw_part(2, lane)], ?sw_xform(lane, 32));
  y[i] = sum;
}
