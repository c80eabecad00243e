// A dilated 3-tap stencil. How far the taps are apart, and how many registers serve them, is left open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void dilated1d_load(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - lane;
  const int stride = ?sw_const(1, 17);
  const int registers = ?sw_const(1, 5);
  auto rc = load(x, warpOffset,21474836481, registers);

  float out = 0;
  for (int k = 0; k < 3; k++) {
    const int shift = stride * k;
    out += __shfl_sync(FULL_MASK, rc[?sw_part(registers, lane, shift)], (lane + shift) & 31);
  }
  y[warpOffset + lane] = out;
}
