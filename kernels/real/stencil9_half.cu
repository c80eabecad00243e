// Completed by swizzle-synth 0.1.0 from stencil1d_half.cu
// spec: stencil1d_half.cpp
//   sw_cond at 42:33 = lane == 0
//   sw_xform at 43:46 = (lane + 1) & 31
// cost of a warp: 216 (shuffles 8, accumulates 72, shared wavefronts 0, loads 2, integer operations 24), proved minimal
// equal to the spec for every input at n=1024

// stencil1d.cu for integers of 16 bits, of which a vector has eight. A stencil of kPoints points over n elements, any n. A lane keeps kOutputs elements in a row and answers for as many;
// what its window has beyond them other lanes keep, and what the warp's last windows have beyond the warp's elements its
// first lanes keep besides.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kOutputs * kThreads - 1) / (kOutputs * kThreads)) block(kThreads)
// swizzle instance n = kOutputs * kThreads
// swizzle check n = 2503

constexpr int kPoints = 9;
constexpr int kOutputs = 8;
constexpr int kThreads = 128;
constexpr int kRim = (kPoints - 2) / kOutputs + 1;  // lanes whose elements a window reaches beyond its own lane's

// The kOutputs elements from i on, by eight where all eight are there.
__device__ __forceinline__ void fill(unsigned short (&r)[kOutputs], const unsigned short* x, int i, int count) {
#pragma unroll
  for (int e = 0; e < kOutputs; e += 8) {
    if (i + e + 7 < count) {
      *reinterpret_cast<uint4*>(&r[e]) = *reinterpret_cast<const uint4*>(&x[i + e]);
    } else {
#pragma unroll
      for (int f = e; f < e + 8; f++) r[f] = i + f < count ? x[i + f] : 0;
    }
  }
}

__global__ void __launch_bounds__(kThreads) stencil1d_half(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = kOutputs * (blockIdx.x * kThreads + threadIdx.x);

  __align__(16) unsigned short own[kOutputs], rim[kOutputs];
  fill(own, x, i, n + kPoints - 1);
  if (lane < kRim) fill(rim, x, i + 32 * kOutputs, n + kPoints - 1);

  unsigned short window[kOutputs + kPoints - 1];
#pragma unroll
  for (int e = 0; e < kOutputs; e++) window[e] = own[e];
#pragma unroll
  for (int e = kOutputs; e < kOutputs + kPoints - 1; e++) {
    [[maybe_unused]] const int away = e / kOutputs;
    const unsigned short sent = (lane == 0) ? rim[e % kOutputs] : own[e % kOutputs];
    window[e] = __shfl_sync(FULL_MASK, sent, (lane + 1) & 31);
  }

  __align__(16) unsigned short out[kOutputs] = {};
#pragma unroll
  for (int k = 0; k < kPoints; k++)
#pragma unroll
    for (int j = 0; j < kOutputs; j++) out[j] += window[j + k];

#pragma unroll
  for (int j = 0; j < kOutputs; j += 8) {
    if (i + j + 7 < n) {
      *reinterpret_cast<uint4*>(&y[i + j]) = *reinterpret_cast<uint4*>(&out[j]);
    } else {
#pragma unroll
      for (int e = j; e < j + 8; e++)
        if (i + e < n) y[i + e] = out[e];
    }
  }
}
