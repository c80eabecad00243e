// Completed by swizzle-synth 0.1.0 from structs_load.cu
// spec: structs_load.cpp
//   sw_xform at 30:57 = (lane - j) & 31
//   sw_xform at 32:87 = (lane + j) & 31
//   sw_xform at 36:62 = (j - lane) & 31
// cost of a warp: 576 (shuffles 32, accumulates 0, shared wavefronts 0, loads 32, integer operations 192), proved minimal
// equal to the spec for every input at n=128

// Loads an array of structs of kFields floats and hands every thread its own, field by field: what comes out is a struct
// of arrays. Columns, the registers of a lane, are permuted; then rows, the lanes of a register; then columns again.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kStructs * kThreads - 1) / (kStructs * kThreads)) block(kThreads)
// swizzle instance n = kStructs * kThreads
// swizzle check n = 1000

constexpr int kFields = 32;
constexpr int kStructs = 1;  // a thread
constexpr int kThreads = 128;

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
    float r_turned1[32];
#pragma unroll
    for (int k = 0; k < 32; k++) r_turned1[k] = lane & 1 ? r[s][(k + 1) & 31] : r[s][k];
    float r_turned2[32];
#pragma unroll
    for (int k = 0; k < 32; k++) r_turned2[k] = lane & 2 ? r_turned1[(k + 2) & 31] : r_turned1[k];
    float r_turned3[32];
#pragma unroll
    for (int k = 0; k < 32; k++) r_turned3[k] = lane & 4 ? r_turned2[(k + 4) & 31] : r_turned2[k];
    float r_turned4[32];
#pragma unroll
    for (int k = 0; k < 32; k++) r_turned4[k] = lane & 8 ? r_turned3[(k + 8) & 31] : r_turned3[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = (lane & 16 ? r_turned4[(48 - j) & 31] : r_turned4[(32 - j) & 31]);
#pragma unroll
    for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], (lane + j) & 31);
    const int i = first + 32 * s + lane;
    if (i >= n) continue;
    // A barrel shifter turns fetched: a step for each bit of the amount, the last where it is read.
    float fetched_turned1[32];
#pragma unroll
    for (int k = 0; k < 32; k++) fetched_turned1[k] = lane & 1 ? fetched[(k + 31) & 31] : fetched[k];
    float fetched_turned2[32];
#pragma unroll
    for (int k = 0; k < 32; k++) fetched_turned2[k] = lane & 2 ? fetched_turned1[(k + 30) & 31] : fetched_turned1[k];
    float fetched_turned3[32];
#pragma unroll
    for (int k = 0; k < 32; k++) fetched_turned3[k] = lane & 4 ? fetched_turned2[(k + 28) & 31] : fetched_turned2[k];
    float fetched_turned4[32];
#pragma unroll
    for (int k = 0; k < 32; k++) fetched_turned4[k] = lane & 8 ? fetched_turned3[(k + 24) & 31] : fetched_turned3[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) y[j * n + i] = (lane & 16 ? fetched_turned4[(j + 16) & 31] : fetched_turned4[j]);
  }
}
