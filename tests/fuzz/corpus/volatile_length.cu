// The length of an array hangs on a constant that is volatile, which makes it none.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 64

__global__ void volatile_length(const float* x, float* y, int n) {
  volatile const int held = ?sw_const(1, 4);
  const int t = blockIdx.x * 32 + threadIdx.x;
  float r[held];
  for (int k = 0; k < held; ++k) r[k] = x[t];
  y[t] = r[?sw_part(held, threadIdx.x)];
}
