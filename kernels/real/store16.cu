// Completed by swizzle-synth 0.1.0 from structs_store.cu
// spec: structs_store.cpp
//   sw_xform at 29:57 = ((lane >> 1) - j) & 15
//   sw_xform at 31:84 = (lane * 2 + (lane >> 4) + j * 2) & 31
//   sw_xform at 35:42 = (j - lane) & 15
// cost of a warp: 368 (shuffles 16, accumulates 0, shared wavefronts 0, loads 16, integer operations 176), proved minimal
// equal to the spec for every input at n=128

// The inverse of structs_load.cu: a struct of arrays becomes an array of structs of kFields floats.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kStructs * kThreads - 1) / (kStructs * kThreads)) block(kThreads)
// swizzle instance n = kStructs * kThreads
// swizzle check n = 1000

constexpr int kFields = 16;
constexpr int kStructs = 1;  // a thread
constexpr int kThreads = 128;

__global__ void __launch_bounds__(kThreads)
structs_store(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = kStructs * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs

  float r[kStructs][kFields];
#pragma unroll
  for (int s = 0; s < kStructs; s++)
#pragma unroll
    for (int j = 0; j < kFields; j++) {
      const int i = first + 32 * s + lane;
      r[s][j] = i < n ? x[j * n + i] : 0;
    }
#pragma unroll
  for (int s = 0; s < kStructs; s++) {
    float rotated[kFields], sent[kFields];
    // A barrel shifter turns r[s]: a step for each bit of the amount, the last where it is read.
    float r_turned1[16];
#pragma unroll
    for (int k = 0; k < 16; k++) r_turned1[k] = lane & 2 ? r[s][(k + 1) & 15] : r[s][k];
    float r_turned2[16];
#pragma unroll
    for (int k = 0; k < 16; k++) r_turned2[k] = lane & 4 ? r_turned1[(k + 2) & 15] : r_turned1[k];
    float r_turned3[16];
#pragma unroll
    for (int k = 0; k < 16; k++) r_turned3[k] = lane & 8 ? r_turned2[(k + 4) & 15] : r_turned2[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = (lane & 16 ? r_turned3[(24 - j) & 15] : r_turned3[(16 - j) & 15]);
#pragma unroll
    for (int j = 0; j < kFields; j++) sent[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 2 + (lane >> 4) + j * 2) & 31);
    // A barrel shifter turns sent: a step for each bit of the amount, the last where it is read.
    float sent_turned1[16];
#pragma unroll
    for (int k = 0; k < 16; k++) sent_turned1[k] = lane & 1 ? sent[(k + 15) & 15] : sent[k];
    float sent_turned2[16];
#pragma unroll
    for (int k = 0; k < 16; k++) sent_turned2[k] = lane & 2 ? sent_turned1[(k + 14) & 15] : sent_turned1[k];
    float sent_turned3[16];
#pragma unroll
    for (int k = 0; k < 16; k++) sent_turned3[k] = lane & 4 ? sent_turned2[(k + 12) & 15] : sent_turned2[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) {
      const int at = kFields * (first + 32 * s) + 32 * j + lane;
      if (at < kFields * n) y[at] = (lane & 8 ? sent_turned3[(j + 8) & 15] : sent_turned3[j]);
    }
  }
}
