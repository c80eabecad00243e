// Completed by swizzle-synth 0.1.0 from structs_load_half.cu
// spec: structs_load_half.cpp
//   sw_xform at 37:55 = (j * 2 + lane) % 3
//   sw_xform at 39:88 = (lane * 3 + j) & 31
//   sw_xform at 42:67 = j
// cost of a warp: 180 (shuffles 12, accumulates 0, shared wavefronts 0, loads 3, integer operations 108), proved minimal
// equal to the spec for every input at n=512

// Loads an array of structs of kFields elements of 16 bits: each becomes an array. A warp's structs are read as they lie, by
// vectors of eight elements; four times, once for each word of the vectors, lanes exchange words as in structs_load.cu, so
// that a lane has kStructs structs in a row.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kStructs * kThreads - 1) / (kStructs * kThreads)) block(kThreads)
// swizzle instance n = kStructs * kThreads
// swizzle check n = 1000
#pragma swizzle assume n % kStructs == 0

constexpr int kFields = 6;
constexpr int kStructs = 4;  // a thread
constexpr int kThreads = 128;
constexpr int kVectors = kFields * kStructs / 8;  // a thread; odd, or a power of two

struct __align__(2 * kStructs) Pieces {
  unsigned short piece[kStructs];
};

__global__ void __launch_bounds__(kThreads)
structs_load_half(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = kStructs * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs

  unsigned r[kVectors][4];
#pragma unroll
  for (int j = 0; j < kVectors; j++) {
    const int at = kFields * first + 8 * (32 * j + lane);
    const uint4 v = at < kFields * n ? *reinterpret_cast<const uint4*>(&x[at]) : make_uint4(0, 0, 0, 0);
    r[j][0] = v.x, r[j][1] = v.y, r[j][2] = v.z, r[j][3] = v.w;
  }
  __align__(16) unsigned short own[kFields * kStructs];
  // A barrel shifter turns r: a step for each bit of the amount, the last where it is read.
  const int r_turn = lane % 3;
  unsigned int r_turned1[3][4];
#pragma unroll
  for (int k = 0; k < 3; k++)
#pragma unroll
    for (int m = 0; m < 4; m++) r_turned1[k][m] = r_turn & 1 ? r[(k + 1) % 3][m] : r[k][m];
#pragma unroll
  for (int e = 0; e < 4; e++) {
    unsigned rotated[kVectors], fetched[kVectors];
#pragma unroll
    for (int j = 0; j < kVectors; j++) rotated[j] = (r_turn & 2 ? r_turned1[(j * 2 + 2) % 3][e] : r_turned1[j * 2 % 3][e]);
#pragma unroll
    for (int j = 0; j < kVectors; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 3 + j) & 31);
#pragma unroll
    for (int j = 0; j < kVectors; j++)
      *reinterpret_cast<unsigned*>(&own[8 * j + 2 * e]) = fetched[j];
  }
  const int i = first + kStructs * lane;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    Pieces out;
#pragma unroll
    for (int s = 0; s < kStructs; s++) out.piece[s] = own[kFields * s + j];
    *reinterpret_cast<Pieces*>(&y[j * n + i]) = out;
  }
}
