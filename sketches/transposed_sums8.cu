// Sums of columns: a lane has eight values, and every eight lanes are to have the sums of eight columns, one a lane. In
// each of three steps a lane gives half of its values away and adds the other lane's to the rest: with whom, and which
// half, is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void transposed_sums8(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = x[i * 8 + k];
#pragma unroll
  for (int d = 4; d > 0; d /= 2) {
#pragma unroll
    for (int k = 0; k < d; k++) {
      const bool keeps_first = ?sw_cond(lane & d, 0);
      const int kept = keeps_first ? v[k] : v[k + d], given = keeps_first ? v[k + d] : v[k];
      v[k] = kept + __shfl_sync(FULL_MASK, given, ?sw_xor(lane, 32, d));
    }
  }
  y[i] = v[0];
}
