// A Fourier transform of every 32 elements, decimated in frequency (Gentleman and Sande 1966), with its factors as
// data: with whom a lane exchanges, and which of the two keeps the difference, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void fft32(const float* re, const float* im, const float* c, const float* s, float* yr, float* yi, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = re[i], b = im[i];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    const int other = ?sw_xor(lane, 32, d);
    const float u = __shfl_sync(FULL_MASK, a, other), v = __shfl_sync(FULL_MASK, b, other);
    const bool is_second = ?sw_cond(lane % (2 * d), d);
    if (is_second) {
      const int t = lane % d * (16 / d);
      const float e = u - a, f = v - b;
      a = e * c[t] - f * s[t];
      b = e * s[t] + f * c[t];
    } else {
      a += u;
      b += v;
    }
  }
  yr[i] = a;
  yi[i] = b;
}
