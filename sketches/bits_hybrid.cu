// Two rounds of bits_shared, three of bits_shuffle32: for devices whose subgroups are no wider than eight lanes. The
// shuffles stay within eight lanes; the rounds through shared memory do the rest.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__device__ unsigned merged(int t, unsigned a, unsigned b, int s, unsigned m) {
  const unsigned c = (t & s) == 0 ? b << s : b >> s;
  const unsigned kept = (t & s) == 0 ? m : ~m;
  return (a & kept) | (c & ~kept);
}

__global__ void bits_hybrid(const unsigned* x, unsigned* y, int n) {
  __shared__ unsigned tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned a = x[i];
#pragma unroll
  for (int k = 0; k < 2; k++) {
    tile[t] = a;
    __syncthreads();
    const unsigned b = tile[t ^ ?sw_const(1, 32, k)];
    __syncthreads();
    a = merged(t, a, b, ?sw_const(1, 32, k), ?sw_mask(k));
  }
#pragma unroll
  for (int k = 0; k < 3; k++) {
    const unsigned b = __shfl_xor_sync(0xffffffffu, a, ?sw_const(1, 8, k), 8);
    a = merged(t, a, b, ?sw_const(1, 32, k), ?sw_mask(k));
  }
  y[i] = a;
}
