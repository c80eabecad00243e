// Transposes 32 x 32 bit matrices, a row a lane, in five rounds: in each a lane keeps some bits of its word and takes the
// others from another lane, shifted. Which distance, which shift and which bits a round needs is open.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__global__ void bits_shuffle32(const unsigned* x, unsigned* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = x[i];
#pragma unroll
  for (int k = 0; k < 5; k++) {
    const int s = ?sw_const(1, 32, k);
    const unsigned m = ?sw_mask(k);
    const unsigned b = __shfl_xor_sync(0xffffffffu, a, ?sw_const(1, 32, k));
    const unsigned c = (lane & s) == 0 ? b << s : b >> s;
    const unsigned kept = (lane & s) == 0 ? m : ~m;
    a = (a & kept) | (c & ~kept);
  }
  y[i] = a;
}
