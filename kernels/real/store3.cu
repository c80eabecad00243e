// Completed by swizzle-synth 0.1.0 from structs_store.cu
// spec: structs_store.cpp
//   sw_xform at 29:57 = j
//   sw_xform at 31:84 = ((lane - j) * 11) & 31
//   sw_xform at 35:42 = (j * 2 + lane) % 3
// cost of a warp: 126 (shuffles 6, accumulates 0, shared wavefronts 0, loads 6, integer operations 54), proved minimal
// equal to the spec for every input at n=256

// The inverse of structs_load.cu: a struct of arrays becomes an array of structs of kFields floats.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kStructs * kThreads - 1) / (kStructs * kThreads)) block(kThreads)
// swizzle instance n = kStructs * kThreads
// swizzle check n = 1000

constexpr int kFields = 3;
constexpr int kStructs = 2;  // a thread
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
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = r[s][j];
#pragma unroll
    for (int j = 0; j < kFields; j++) sent[j] = __shfl_sync(FULL_MASK, rotated[j], ((lane - j) * 11) & 31);
    // A barrel shifter turns sent: a step for each bit of the amount, the last where it is read.
    const int sent_turn = lane % 3;
    float sent_turned1[3];
#pragma unroll
    for (int k = 0; k < 3; k++) sent_turned1[k] = sent_turn & 1 ? sent[(k + 1) % 3] : sent[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) {
      const int at = kFields * (first + 32 * s) + 32 * j + lane;
      if (at < kFields * n) y[at] = (sent_turn & 2 ? sent_turned1[(j * 2 + 2) % 3] : sent_turned1[j * 2 % 3]);
    }
  }
}
