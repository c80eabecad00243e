// A 4-tap convolution of stride 2. A warp holds 96 inputs: lane l keeps the even ones x[2l], x[2l + 64], … apart from
// the odd ones, so that tap k reads even or odd registers and consecutive lanes read consecutive lanes.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024
#pragma swizzle extent x(2 * n + 64)

__global__ void conv1d_stride2(const float* x, const float* w, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - lane;

  // rc[parity][piece]
  float rc[2][2];
  for (int parity = 0; parity < 2; parity++)
    for (int piece = 0; piece < 2; piece++) rc[parity][piece] = x[2 * (warpOffset + 32 * piece + lane) + parity];

  float out = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const int from = ?sw_xform(lane, 32, k / 2);
    out += w[k] * __shfl_sync(FULL_MASK, rc[k % 2][?sw_part(2, lane, k / 2)], from);
  }
  y[warpOffset + lane] = out;
}
