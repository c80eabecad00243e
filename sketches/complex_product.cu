// Products of complex numbers that lie interleaved: even lanes hold real parts and odd lanes imaginary parts, and each
// lane fetches its neighbour's.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void complex_product(const float* a, const float* b, float* c, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine_a = a[i], mine_b = b[i];

  const float real_a = __shfl_sync(FULL_MASK, mine_a, ?sw_xform(lane, 32));
  const float imag_a = __shfl_sync(FULL_MASK, mine_a, ?sw_xform(lane, 32));
  const float other_b = __shfl_sync(FULL_MASK, mine_b, ?sw_xform(lane, 32));
  const float crossed = imag_a * other_b;
  c[i] = real_a * mine_b + (?sw_cond(lane % 2) ? crossed : -crossed);
}
