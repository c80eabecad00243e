// The rounds of bits_shuffle32 through shared memory: the partner's word is read where it stored it.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__global__ void bits_shared(const unsigned* x, unsigned* y, int n) {
  __shared__ unsigned tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned a = x[i];
#pragma unroll
  for (int k = 0; k < 5; k++) {
    tile[t] = a;
    __syncthreads();
    const int s = ?sw_const(1, 32, k);
    const unsigned m = ?sw_mask(k);
    const unsigned b = tile[t ^ ?sw_const(1, 32, k)];
    __syncthreads();
    const unsigned c = (t & s) == 0 ? b << s : b >> s;
    const unsigned kept = (t & s) == 0 ? m : ~m;
    a = (a & kept) | (c & ~kept);
  }
  y[i] = a;
}
