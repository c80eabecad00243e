// A 3-point stencil with four outputs a thread: five registers a lane serve 128 outputs of a warp.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 256) block(64)
#pragma swizzle instance n = 256
#pragma swizzle check n = 512
#pragma swizzle check n = 2048

__global__ void stencil1d_outputs4(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  auto rc = load(x, warp * 128, 1, 5);

  float out[4] = {};
#pragma unroll
  for (int k = 0; k < 3; k++) {
#pragma unroll
    for (int j = 0; j < 4; j++) {
      out[j] += __shfl_sync(FULL_MASK, rc[j + ?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
    }
  }
#pragma unroll
  for (int j = 0; j < 4; j++) y[warp * 128 + 32 * j + lane] = out[j];
}
