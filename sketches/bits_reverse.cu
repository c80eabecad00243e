// Reverses the bits of each word without __brev: in each round two neighbouring parts change places. Shifts and masks are
// open.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__global__ void bits_reverse(const unsigned* x, unsigned* y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  unsigned a = x[i];
#pragma unroll
  for (int k = 0; k < 5; k++) {
    const int s = ?sw_const(1, 32, k);
    const unsigned m = ?sw_mask(k);
    a = (a >> s & m) | (a & m) << s;
  }
  y[i] = a;
}
