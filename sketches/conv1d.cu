// A 3-tap convolution in registers; the weights come from a second array.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void conv1d(const float* x, const float* w, float* y, int n) {
  const int lane = threadIdx.x % warpSize;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - lane;
  auto rc = load(x, warpOffset, 1, 2);

  float out = 0;
  for (int k = 0; k < 3; k++) {
    out += w[k] * __shfl_sync(FULL_MASK, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
  }
  y[warpOffset + lane] = out;
}
