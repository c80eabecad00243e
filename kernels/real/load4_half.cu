// Completed by swizzle-synth 0.1.0 from structs_load_half.cu
// spec: structs_load_half.cpp
//   sw_xform at 37:55 = (j + lane) & 1
//   sw_xform at 39:88 = (lane * 2 + (((lane >> 4) + j) & 1)) & 31
//   sw_xform at 42:67 = (j + (lane >> 4)) & 1
// cost of a warp: 136 (shuffles 8, accumulates 0, shared wavefronts 0, loads 2, integer operations 88), proved minimal
// equal to the spec for every input at n=512

// Loads an array of structs of kFields elements of 16 bits: each becomes an array. A warp's structs are read as they lie, by
// vectors of eight elements; four times, once for each word of the vectors, lanes exchange words as in structs_load.cu, so
// that a lane has kStructs structs in a row.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kStructs * kThreads - 1) / (kStructs * kThreads)) block(kThreads)
// swizzle instance n = kStructs * kThreads
// swizzle check n = 1000
#pragma swizzle assume n % kStructs == 0

constexpr int kFields = 4;
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
#pragma unroll
  for (int e = 0; e < 4; e++) {
    unsigned rotated[kVectors], fetched[kVectors];
#pragma unroll
    for (int j = 0; j < kVectors; j++) rotated[j] = (lane & 1 ? r[j ^ 1][e] : r[j][e]);
#pragma unroll
    for (int j = 0; j < kVectors; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], (lane * 2 + (((lane >> 4) + j) & 1)) & 31);
#pragma unroll
    for (int j = 0; j < kVectors; j++)
      *reinterpret_cast<unsigned*>(&own[8 * j + 2 * e]) = (lane & 16 ? fetched[j ^ 1] : fetched[j]);
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
