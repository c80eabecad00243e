// Splits pairs into two arrays: word 32·j + lane of a warp's 32 pairs is the first or second of pair 16·j + lane / 2.
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
#pragma swizzle check n = 128
#pragma swizzle check n = 512

__global__ void scatter_split(const float* pairs, float* firsts, float* seconds, int n) {
  const int lane = threadIdx.x, first = blockIdx.x * 32;
#pragma unroll
  for (int j = 0; j < 2; j++) {
    const float word = pairs[2 * first + 32 * j + lane];
    if (lane % 2 == 0) firsts[first + ?sw_xform(lane / 2, 32, j)] = word;
    else seconds[first + ?sw_xform(lane / 2, 32, j)] = word;
  }
}
