// Completed by swizzle-synth 0.1.0 from structs_store_half.cu
// spec: structs_store_half.cpp
//   sw_xform at 39:58 = ((lane >> 2) - j) & 7
//   sw_xform at 41:85 = (lane * 4 + (lane >> 3) + j * 4) & 31
//   sw_xform at 43:55 = (j - lane) & 7
// cost of a warp: 544 (shuffles 32, accumulates 0, shared wavefronts 0, loads 8, integer operations 352), proved minimal
// equal to the spec for every input at n=1024

// The inverse of structs_load_half.cu: arrays of 16-bit elements become an array of structs of kFields elements.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kStructs * kThreads - 1) / (kStructs * kThreads)) block(kThreads)
// swizzle instance n = kStructs * kThreads
// swizzle check n = 1000
#pragma swizzle assume n % kStructs == 0

constexpr int kFields = 8;
constexpr int kStructs = 8;  // a thread
constexpr int kThreads = 128;
constexpr int kVectors = kFields * kStructs / 8;  // a thread; odd, or a power of two

struct __align__(2 * kStructs) Pieces {
  unsigned short piece[kStructs];
};

__global__ void __launch_bounds__(kThreads)
structs_store_half(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = kStructs * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs
  const int i = first + kStructs * lane;

  __align__(16) unsigned short own[kFields * kStructs];
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    Pieces in = {};
    if (i < n) in = *reinterpret_cast<const Pieces*>(&x[j * n + i]);
#pragma unroll
    for (int s = 0; s < kStructs; s++) own[kFields * s + j] = in.piece[s];
  }
  unsigned r[kVectors][4];
#pragma unroll
  for (int e = 0; e < 4; e++) {
    unsigned mine[kVectors], rotated[kVectors], sent[kVectors];
#pragma unroll
    for (int j = 0; j < kVectors; j++) mine[j] = *reinterpret_cast<unsigned*>(&own[8 * j + 2 * e]);
    // A barrel shifter turns mine: a step for each bit of the amount, the last where it is read.
    unsigned int mine_turned1[8];
#pragma unroll
    for (int k = 0; k < 8; k++) mine_turned1[k] = lane & 4 ? mine[(k + 1) & 7] : mine[k];
    unsigned int mine_turned2[8];
#pragma unroll
    for (int k = 0; k < 8; k++) mine_turned2[k] = lane & 8 ? mine_turned1[(k + 2) & 7] : mine_turned1[k];
#pragma unroll
    for (int j = 0; j < kVectors; j++) rotated[j] = (lane & 16 ? mine_turned2[(12 - j) & 7] : mine_turned2[(8 - j) & 7]);
#pragma unroll
    for (int j = 0; j < kVectors; j++) sent[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 4 + (lane >> 3) + j * 4) & 31);
    // A barrel shifter turns sent: a step for each bit of the amount, the last where it is read.
    unsigned int sent_turned1[8];
#pragma unroll
    for (int k = 0; k < 8; k++) sent_turned1[k] = lane & 1 ? sent[(k + 7) & 7] : sent[k];
    unsigned int sent_turned2[8];
#pragma unroll
    for (int k = 0; k < 8; k++) sent_turned2[k] = lane & 2 ? sent_turned1[(k + 6) & 7] : sent_turned1[k];
#pragma unroll
    for (int j = 0; j < kVectors; j++) r[j][e] = (lane & 4 ? sent_turned2[(j + 4) & 7] : sent_turned2[j]);
  }
#pragma unroll
  for (int j = 0; j < kVectors; j++) {
    const int at = kFields * first + 8 * (32 * j + lane);
    if (at < kFields * n) *reinterpret_cast<uint4*>(&y[at]) = make_uint4(r[j][0], r[j][1], r[j][2], r[j][3]);
  }
}
