// Packs the low halves of eight bytes into a word. The shift, the masks and the bytes are open.
#pragma swizzle launch grid(1) block(n / 2)
#pragma swizzle instance n = 64
#pragma swizzle bits(x, y)

__global__ void bits_pack4(const uint2* x, unsigned* y, int n) {
  const uint2 v = x[threadIdx.x];
  const int s = ?sw_const(1, 16);
  const unsigned low = (v.x & ?sw_mask()) | (v.x >> s & ?sw_mask());
  const unsigned high = (v.y & ?sw_mask()) | (v.y >> s & ?sw_mask());
  y[threadIdx.x] = __byte_perm(low, high, ?sw_bytes());
}
