// Transposes 32 x 32 bit matrices with ballots: each asks all lanes for one of their bits and hears a column, which one
// lane keeps. Which bit is open.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 96
#pragma swizzle bits(x, y)

__global__ void bits_ballot(const unsigned* x, unsigned* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = x[i];
  unsigned column = 0;
#pragma unroll
  for (int k = 0; k < 32; k++) {
    const unsigned heard = __ballot_sync(0xffffffffu, row >> ?sw_const(0, 32, k) & 1);
    if (lane == k) column = heard;
  }
  y[i] = column;
}
