// Transposes 4 x 4 bytes, a row a word, inside a thread: eight times __byte_perm, whose selectors are open.
#pragma swizzle launch grid(1) block(n / 4)
#pragma swizzle instance n = 32
#pragma swizzle check n = 128
#pragma swizzle bits(x, y)

__global__ void bits_bytes4(const uint4* x, uint4* y, int n) {
  const uint4 a = x[threadIdx.x];
  const unsigned p = __byte_perm(a.x, a.y, ?sw_bytes());
  const unsigned q = __byte_perm(a.x, a.y, ?sw_bytes());
  const unsigned r = __byte_perm(a.z, a.w, ?sw_bytes());
  const unsigned s = __byte_perm(a.z, a.w, ?sw_bytes());
  uint4 b;
  b.x = __byte_perm(p, r, ?sw_bytes());
  b.y = __byte_perm(p, r, ?sw_bytes());
  b.z = __byte_perm(q, s, ?sw_bytes());
  b.w = __byte_perm(q, s, ?sw_bytes());
  y[threadIdx.x] = b;
}
