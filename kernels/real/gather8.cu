// Completed by swizzle-synth 0.1.0 from structs_gather.cu
// spec: structs_gather.cpp
//   sw_xform at 27:52 = (j + lane) & 7
//   sw_xform at 29:85 = (lane * 8 + (((lane >> 2) - j) & 7)) & 31
//   sw_xform at 32:60 = ((lane >> 2) - j) & 7
// cost of a warp: 256 (shuffles 16, accumulates 8, multiplies 8, shared wavefronts 0, loads 9, integer operations 88), proved minimal
// every element of index is in [0, m)
// equal to the spec for every input at m=300, n=256

// Gathers structs of kFields floats by an index and hands every thread its own, field by field. Lanes side by side read
// one struct together; then columns, the registers of a lane, are permuted, then rows, the lanes of a register, then
// columns again.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kThreads - 1) / kThreads) block(kThreads)
// swizzle instance n = kThreads, m = 300
// swizzle check n = 1000, m = 700
// swizzle range index(0, m)

constexpr int kFields = 8;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
structs_gather(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n, int m) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int own = i < n ? index[i] : 0;

  float r[kFields], rotated[kFields], fetched[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int word = 32 * j + lane;
    r[j] = x[kFields * __shfl_sync(FULL_MASK, own, word / kFields) + word % kFields];
  }
  // A barrel shifter turns r: a step for each bit of the amount, the last where it is read.
  float r_turned1[8];
#pragma unroll
  for (int k = 0; k < 8; k++) r_turned1[k] = lane & 1 ? r[(k + 1) & 7] : r[k];
  float r_turned2[8];
#pragma unroll
  for (int k = 0; k < 8; k++) r_turned2[k] = lane & 2 ? r_turned1[(k + 2) & 7] : r_turned1[k];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = (lane & 4 ? r_turned2[(j + 4) & 7] : r_turned2[j]);
#pragma unroll
  for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 8 + (((lane >> 2) - j) & 7)) & 31);
  if (i >= n) return;
  // A barrel shifter turns fetched: a step for each bit of the amount, the last where it is read.
  float fetched_turned1[8];
#pragma unroll
  for (int k = 0; k < 8; k++) fetched_turned1[k] = lane & 4 ? fetched[(k + 1) & 7] : fetched[k];
  float fetched_turned2[8];
#pragma unroll
  for (int k = 0; k < 8; k++) fetched_turned2[k] = lane & 8 ? fetched_turned1[(k + 2) & 7] : fetched_turned1[k];
#pragma unroll
  for (int j = 0; j < kFields; j++) y[j * n + i] = (lane & 16 ? fetched_turned2[(12 - j) & 7] : fetched_turned2[(8 - j) & 7]);
}
