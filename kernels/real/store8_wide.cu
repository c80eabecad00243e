// Completed by swizzle-synth 0.1.0 from structs_store_wide.cu
// spec: structs_store_wide.cpp
//   sw_xform at 31:57 = ((lane >> 2) - j) & 7
//   sw_xform at 33:84 = (lane * 4 + (lane >> 3) + j * 4) & 31
//   sw_xform at 35:54 = (j - lane) & 7
// cost of a warp: 544 (shuffles 32, accumulates 0, shared wavefronts 0, loads 8, integer operations 352), proved minimal
// equal to the spec for every input at n=512

// The inverse of structs_load_wide.cu: a struct of arrays becomes an array of structs of kFields floats.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + 4 * kThreads - 1) / (4 * kThreads)) block(kThreads)
// swizzle instance n = 4 * kThreads
// swizzle check n = 1000
#pragma swizzle assume n % 4 == 0

constexpr int kFields = 8;
constexpr int kThreads = 128;

__global__ void __launch_bounds__(kThreads)
structs_store_wide(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = 4 * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs
  const int i = first + 4 * lane;

  float own[4 * kFields];  // the lane's structs, one after the other
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const float4 v = i < n ? *reinterpret_cast<const float4*>(&x[j * n + i]) : make_float4(0, 0, 0, 0);
    own[j] = v.x, own[kFields + j] = v.y, own[2 * kFields + j] = v.z, own[3 * kFields + j] = v.w;
  }
  __align__(16) float r[kFields][4];
#pragma unroll
  for (int e = 0; e < 4; e++) {
    float mine[kFields], rotated[kFields], sent[kFields];
#pragma unroll
    for (int j = 0; j < kFields; j++) mine[j] = own[4 * j + e];
    // A barrel shifter turns mine: a step for each bit of the amount, the last where it is read.
    float mine_turned1[8];
#pragma unroll
    for (int k = 0; k < 8; k++) mine_turned1[k] = lane & 4 ? mine[(k + 1) & 7] : mine[k];
    float mine_turned2[8];
#pragma unroll
    for (int k = 0; k < 8; k++) mine_turned2[k] = lane & 8 ? mine_turned1[(k + 2) & 7] : mine_turned1[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = (lane & 16 ? mine_turned2[(12 - j) & 7] : mine_turned2[(8 - j) & 7]);
#pragma unroll
    for (int j = 0; j < kFields; j++) sent[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 4 + (lane >> 3) + j * 4) & 31);
    // A barrel shifter turns sent: a step for each bit of the amount, the last where it is read.
    float sent_turned1[8];
#pragma unroll
    for (int k = 0; k < 8; k++) sent_turned1[k] = lane & 1 ? sent[(k + 7) & 7] : sent[k];
    float sent_turned2[8];
#pragma unroll
    for (int k = 0; k < 8; k++) sent_turned2[k] = lane & 2 ? sent_turned1[(k + 6) & 7] : sent_turned1[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) r[j][e] = (lane & 4 ? sent_turned2[(j + 4) & 7] : sent_turned2[j]);
  }
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int at = kFields * first + 4 * (32 * j + lane);
    if (at < kFields * n) *reinterpret_cast<float4*>(&y[at]) = make_float4(r[j][0], r[j][1], r[j][2], r[j][3]);
  }
}
