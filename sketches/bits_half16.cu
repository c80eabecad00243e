// Transposes 16 x 16 bit matrices, rows of half words, a row a lane: a warp has two. Four rounds as those of bits_shuffle32.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__global__ void bits_half16(const unsigned short* x, unsigned short* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short a = x[i];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const int s = ?sw_const(1, 16, k);
    const unsigned short m = ?sw_mask(k);
    const unsigned short b = __shfl_xor_sync(0xffffffffu, a, ?sw_const(1, 32, k));
    const unsigned short c = (lane & s) == 0 ? b << s : b >> s;
    const unsigned short kept = (lane & s) == 0 ? m : ~m;
    a = (a & kept) | (c & ~kept);
  }
  y[i] = a;
}
