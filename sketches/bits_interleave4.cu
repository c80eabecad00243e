// Brings eight 4-bit values into the order of dequantizing kernels, and takes them out in pairs: value 2i and 2i + 1 stand
// 16 bits apart, so that one shift and one mask give both as half words.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, packed, pairs)

__global__ void bits_interleave4(const unsigned* x, unsigned* packed, unsigned* pairs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned w = x[i];
#pragma unroll
  for (int k = 0; k < 2; k++) {
    const int s = ?sw_const(1, 32, k);
    w = (w & ?sw_mask(k)) | (w >> s & ?sw_mask(k)) | (w & ?sw_mask(k)) << s;
  }
  packed[i] = w;
#pragma unroll
  for (int k = 0; k < 4; k++) pairs[4 * i + k] = w >> ?sw_const(0, 32, k) & ?sw_mask(k);
}
