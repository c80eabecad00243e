// Registers hold 64 elements of a warp, and the last lanes need the 65th: no completion exists.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64

__global__ void infeasible_far(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - lane;
  auto rc = load(x, warpOffset, 1, 2);
  float out = 0;
  for (int k = 0; k < 2; k++) out += __shfl_sync(FULL_MASK, rc[?sw_part(2, lane, k)], ?sw_xform(lane, 32, k));
  y[warpOffset + lane] = out;
}
