// Morton order: interleaves the bits of two coordinates of 16 bits, both in one word, in rounds that spread what is left
// together. Shifts and masks are open.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y, z)

__global__ void bits_morton(const unsigned short* x, const unsigned short* y, unsigned* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = x[i], b = y[i];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const int s = ?sw_const(1, 16, k);
    const unsigned m = ?sw_mask(k);
    a = (a | a << s) & m;
    b = (b | b << s) & m;
  }
  z[i] = a | b << ?sw_const(0, 32);
}
