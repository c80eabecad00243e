// Reverses 64 elements as they are stored: the address of the store is open, that of the load is not.
#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 640

__global__ void scatter_reverse(const float* x, float* y, int n) {
  const int t = threadIdx.x, first = blockIdx.x * 64;
  y[first + ?sw_xform(t, 64)] = x[first + t];
}
