// swizzle launch grid(n / 64) as in the paper
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  y[blockIdx.x * 32 + lane] = __shfl_sync(~0u, x[blockIdx.x * 32 + lane], ?sw_xform(lane, 32));
}
