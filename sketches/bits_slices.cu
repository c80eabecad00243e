// The input of a bit-sliced S-box: eight blocks of 16 bytes become eight slices of 128 bits, slice b holding bit b of every
// byte. A thread has one word of each block; in three rounds its words exchange bits, two and two.
#pragma swizzle launch grid(n / 32) block(4)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__global__ void bits_slices(const unsigned* x, unsigned* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, first = i / 4 * 32 + i % 4;
  unsigned r[8];
#pragma unroll
  for (int block = 0; block < 8; block++) r[block] = x[first + 4 * block];
#pragma unroll
  for (int k = 0; k < 3; k++) {
    const int s = 1 << ?sw_const(0, 5, k);
    const unsigned m = ?sw_mask(k);
#pragma unroll
    for (int j = 0; j < 8; j++) {
      if ((j >> k & 1) != 0) continue;
      const unsigned moved = (r[j] >> s ^ r[j | 1 << k]) & m;
      r[j | 1 << k] ^= moved;
      r[j] ^= moved << s;
    }
  }
#pragma unroll
  for (int slice = 0; slice < 8; slice++) y[first + 4 * slice] = r[slice];
}
