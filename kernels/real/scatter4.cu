// Completed by swizzle-synth 0.1.0 from structs_scatter.cu
// spec: structs_scatter.cpp
//   sw_xform at 22:52 = ((lane >> 3) - j) & 3
//   sw_xform at 24:85 = (lane * 8 + (lane >> 2) + j * 8) & 31
//   sw_xform at 29:83 = (j - lane) & 3
// cost of a warp: 132 (shuffles 8, accumulates 4, multiplies 4, shared wavefronts 0, loads 5, integer operations 44), proved minimal
// every element of index is in [0, m), and no two are alike
// equal to the spec for every input at m=300, n=256

// Stores each thread's struct of kFields floats, which came field by field, where an index says.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kThreads - 1) / kThreads) block(kThreads)
// swizzle instance n = kThreads, m = 300
// swizzle check n = 1000, m = 1700
// swizzle range index(0, m) distinct

constexpr int kFields = 4;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
structs_scatter(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n, int m) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int own = i < n ? index[i] : 0;

  float r[kFields], rotated[kFields], fetched[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = i < n ? x[j * n + i] : 0;
  // A barrel shifter turns r: a step for each bit of the amount, the last where it is read.
  float r_turned1[4];
#pragma unroll
  for (int k = 0; k < 4; k++) r_turned1[k] = lane & 8 ? r[(k + 1) & 3] : r[k];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = (lane & 16 ? r_turned1[(6 - j) & 3] : r_turned1[(4 - j) & 3]);
#pragma unroll
  for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 8 + (lane >> 2) + j * 8) & 31);
  // A barrel shifter turns fetched: a step for each bit of the amount, the last where it is read.
  float fetched_turned1[4];
#pragma unroll
  for (int k = 0; k < 4; k++) fetched_turned1[k] = lane & 1 ? fetched[(k + 3) & 3] : fetched[k];
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int word = 32 * j + lane;
    const int to = __shfl_sync(FULL_MASK, own, word / kFields);
    if (i - lane + word / kFields < n) y[kFields * to + word % kFields] = (lane & 2 ? fetched_turned1[(j + 2) & 3] : fetched_turned1[j]);
  }
}
