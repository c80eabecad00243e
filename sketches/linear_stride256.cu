// A stride permutation of every 256 elements (y[16 a + b] = x[16 b + a]), as it stands between the passes of a Fourier
// transform: each lane has eight elements, and where it stores them is a linear map of the bits of their index.
#pragma swizzle launch grid(n / 256) block(32)
#pragma swizzle instance n = 256
#pragma swizzle check n = 1024

__global__ void linear_stride256(const float* x, float* y, int n) {
  const int lane = threadIdx.x, first = 256 * blockIdx.x;
#pragma unroll
  for (int j = 0; j < 8; j++) y[first + ?sw_linear(32 * j + lane, 256)] = x[first + 32 * j + lane];
}
