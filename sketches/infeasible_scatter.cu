// Stores 32 elements in bit-reversed order by one open address: no transformation swizzle reverses five bits.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32

__global__ void infeasible_scatter(const float* x, float* y, int n) {
  const int t = threadIdx.x, first = blockIdx.x * 32;
  y[first + ?sw_xform(t, 32)] = x[first + t];
}
