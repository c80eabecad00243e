// A 4-tap convolution of stride 2. A warp keeps every `apart`-th input in one row of registers, so that tap k reads row
// k % apart; how many rows and how many pieces of 32 inputs that takes is left open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024
#pragma swizzle extent x(2 * n + 256)

__global__ void conv1d_stride2_load(const float* x, const float* w, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - lane;
  const int apart = ?sw_const(1, 5), pieces = ?sw_const(1, 4);

  float rc[apart][pieces];
  for (int row = 0; row < apart; row++)
    for (int piece = 0; piece < pieces; piece++) rc[row][piece] = x[2 * warpOffset + apart * (32 * piece + lane) + row];

  float out = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const int from = ?sw_xform(lane, 32, k / apart);
    out += w[k] * __shfl_sync(FULL_MASK, rc[k % apart][?sw_part(pieces, lane, k / apart)], from);
  }
  y[warpOffset + lane] = out;
}
