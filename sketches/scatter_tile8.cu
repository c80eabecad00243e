// Transposes 8×8 tiles by way of shared memory. Where a word is stored there, and where it is loaded from, are both open.
#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 640

__global__ void scatter_tile8(const float* x, float* y, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x, first = blockIdx.x * 64;
  tile[?sw_xform(t, 64)] = x[first + t];
  __syncthreads();
  y[first + t] = tile[?sw_xform(t, 64)];
}
