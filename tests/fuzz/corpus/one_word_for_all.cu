// All lanes store to one word of each row, whatever the hole is.
#pragma swizzle launch grid(n / 64) block(8)
#pragma swizzle instance n = 64
#pragma swizzle check n = 128
#pragma swizzle machine toy8

__global__ void one_word_for_all(const int* x, int* y, int n) {
  __shared__ int tile[8 * 8];
  const int t = threadIdx.x, base = blockIdx.x * 64;
  for (int i = 0; i < 8; i++) tile[i * 8 + ?sw_xor(0, 8, i)] = x[base + i * 8 + t];
  __syncthreads();
  for (int i = 0; i < 8; i++) y[base + i * 8 + t] = tile[t * 8 + ?sw_xor(i, 8, t)];
}
