// A 3-point stencil that fetches from one element too far on: lane 0 misses its own.
#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void infeasible_load(const float* x, float* y, int n) {
  const int tid = threadIdx.x % 32;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - tid;
  auto rc = load(x, warpOffset + ?sw_const(1, 9), 1, ?sw_const(1, 5));

  float out = 0;
  for (int k = 0; k < 3; k++) out += magic_get(rc);
  y[warpOffset + tid] = out;
}
