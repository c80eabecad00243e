// Completed by swizzle-synth 0.1.0 from structs_load_wide.cu
// spec: structs_load_wide.cpp
//   sw_xform at 32:57 = (j + lane) & 15
//   sw_xform at 34:87 = (lane * 16 + (((lane >> 1) - j) & 15)) & 31
//   sw_xform at 36:64 = ((lane >> 1) - j) & 15
// cost of a warp: 1088 (shuffles 64, accumulates 0, shared wavefronts 0, loads 16, integer operations 704), proved minimal
// equal to the spec for every input at n=256

// structs_load.cu by vectors of four floats on both sides: a warp's 128 structs are read as they lie, each lane gets four
// structs in a row, and writes four values of each field at once.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + 4 * kThreads - 1) / (4 * kThreads)) block(kThreads)
// swizzle instance n = 4 * kThreads
// swizzle check n = 1000
#pragma swizzle assume n % 4 == 0

constexpr int kFields = 16;
constexpr int kThreads = 64;

__global__ void __launch_bounds__(kThreads)
structs_load_wide(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = 4 * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs

  __align__(16) float r[kFields][4];
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int at = kFields * first + 4 * (32 * j + lane);
    const float4 v = at < kFields * n ? *reinterpret_cast<const float4*>(&x[at]) : make_float4(0, 0, 0, 0);
    r[j][0] = v.x, r[j][1] = v.y, r[j][2] = v.z, r[j][3] = v.w;
  }
  float own[4 * kFields];  // the lane's structs, one after the other
#pragma unroll
  for (int e = 0; e < 4; e++) {
    float mine[kFields], rotated[kFields], fetched[kFields];
#pragma unroll
    for (int j = 0; j < kFields; j++) mine[j] = r[j][e];
    // A barrel shifter turns mine: a step for each bit of the amount, the last where it is read.
    float mine_turned1[16];
#pragma unroll
    for (int k = 0; k < 16; k++) mine_turned1[k] = lane & 1 ? mine[(k + 1) & 15] : mine[k];
    float mine_turned2[16];
#pragma unroll
    for (int k = 0; k < 16; k++) mine_turned2[k] = lane & 2 ? mine_turned1[(k + 2) & 15] : mine_turned1[k];
    float mine_turned3[16];
#pragma unroll
    for (int k = 0; k < 16; k++) mine_turned3[k] = lane & 4 ? mine_turned2[(k + 4) & 15] : mine_turned2[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = (lane & 8 ? mine_turned3[(j + 8) & 15] : mine_turned3[j]);
#pragma unroll
    for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 16 + (((lane >> 1) - j) & 15)) & 31);
    // A barrel shifter turns fetched: a step for each bit of the amount, the last where it is read.
    float fetched_turned1[16];
#pragma unroll
    for (int k = 0; k < 16; k++) fetched_turned1[k] = lane & 2 ? fetched[(k + 1) & 15] : fetched[k];
    float fetched_turned2[16];
#pragma unroll
    for (int k = 0; k < 16; k++) fetched_turned2[k] = lane & 4 ? fetched_turned1[(k + 2) & 15] : fetched_turned1[k];
    float fetched_turned3[16];
#pragma unroll
    for (int k = 0; k < 16; k++) fetched_turned3[k] = lane & 8 ? fetched_turned2[(k + 4) & 15] : fetched_turned2[k];
#pragma unroll
    for (int j = 0; j < kFields; j++) own[4 * j + e] = (lane & 16 ? fetched_turned3[(24 - j) & 15] : fetched_turned3[(16 - j) & 15]);
  }
  const int i = first + 4 * lane;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < kFields; j++)
    *reinterpret_cast<float4*>(&y[j * n + i]) =
        make_float4(own[j], own[kFields + j], own[2 * kFields + j], own[3 * kFields + j]);
}
