// first line
//
// third line

// swizzle launch grid(n / 32) block(32)
// swizzle instance n = 32
// swizzle check n = 64
__global__ void f(const float* x, float* y, int n) {
  const int base = blockIdx.x * 32;
  float rc[3];
  if (base + int(threadIdx.x % 32) < n + 4) rc[0] = x[base + int(threadIdx.x % 32)];
  if (base + 32 + int(threadIdx.x % 32) < n + 4) rc[1] = x[base + 32 + int(threadIdx.x % 32)];
  if (base + 64 + int(threadIdx.x % 32) < n + 4) rc[2] = x[base + 64 + int(threadIdx.x % 32)];
  float out = 0;
  for (int k = 0; k < 5; k++) out += __shfl_sync(0xffffffffu, (int(threadIdx.x & 31) < k ? rc[1] : rc[0]), (int(threadIdx.x & 31) + k) & 31);
  y[base + threadIdx.x] = out;
}
