// Transposes 8 x 8 bit matrices, a row a byte: a warp's 32 words hold sixteen of them, in groups of eight lanes. Three
// rounds, in any order; distance, shift and mask of each are open.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__global__ void bits_shuffle8(const unsigned* x, unsigned* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = x[i];
#pragma unroll
  for (int k = 0; k < 3; k++) {
    const int s = ?sw_const(1, 8, k);
    const unsigned m = ?sw_mask(k);
    const unsigned b = __shfl_xor_sync(0xffffffffu, a, ?sw_const(1, 32, k));
    const unsigned c = (lane & s) == 0 ? b << s : b >> s;
    const unsigned kept = (lane & s) == 0 ? m : ~m;
    a = (a & kept) | (c & ~kept);
  }
  y[i] = a;
}
