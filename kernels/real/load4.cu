// Completed by swizzle-synth 0.1.0 from structs_load.cu
// spec: structs_load.cpp
//   sw_xform at 30:57 = (j + lane) & 3
//   sw_xform at 32:87 = (lane * 4 + (((lane >> 3) - j) & 3)) & 31
//   sw_xform at 36:62 = ((lane >> 3) - j) & 3
// cost of a warp: 92 (shuffles 4, accumulates 0, shared wavefronts 0, loads 4, integer operations 44), proved minimal
// equal to the spec for every input at n=256

// Loads an array of structs of kFields floats and hands every thread its own, field by field: what comes out is a struct
// of arrays. Columns, the registers of a lane, are permuted; then rows, the lanes of a register; then columns again.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kStructs * kThreads - 1) / (kStructs * kThreads)) block(kThreads)
// swizzle instance n = kStructs * kThreads
// swizzle check n = 1000

constexpr int kFields = 4;
constexpr int kStructs = 1;  // a thread
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
structs_load(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = kStructs * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs

  float r[kStructs][kFields];
#pragma unroll
  for (int s = 0; s < kStructs; s++)
#pragma unroll
    for (int j = 0; j < kFields; j++) {
      const int at = kFields * (first + 32 * s) + 32 * j + lane;
      r[s][j] = at < kFields * n ? x[at] : 0;
    }
#pragma unroll
  for (int s = 0; s < kStructs; s++) {
    float rotated[kFields], fetched[kFields];
    // A barrel shifter turns r[s]: a step for each bit of the amount, the last where it is read.
    float r_turned1[4];
#pragma unroll
    for (int k = 0; k < 4; k++) r_turned1[k] = lane & 1 ? r[s][(k + 1) & 3] : r[s][k];
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = (lane & 2 ? r_turned1[(j + 2) & 3] : r_turned1[j]);
#pragma unroll
    for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 4 + (((lane >> 3) - j) & 3)) & 31);
    const int i = first + 32 * s + lane;
    if (i >= n) continue;
    // A barrel shifter turns fetched: a step for each bit of the amount, the last where it is read.
    float fetched_turned1[4];
#pragma unroll
    for (int k = 0; k < 4; k++) fetched_turned1[k] = lane & 8 ? fetched[(k + 1) & 3] : fetched[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) y[j * n + i] = (lane & 16 ? fetched_turned1[(6 - j) & 3] : fetched_turned1[(4 - j) & 3]);
  }
}
