// Completed by swizzle-synth 0.1.0 from stencil1d.cu
// spec: stencil1d.cpp
//   sw_cond at 43:24 = lane < away
//   sw_xform at 44:46 = (lane + away) & 31
// cost of a warp: 784 (shuffles 32, accumulates 264, shared wavefronts 0, loads 4, integer operations 96), proved minimal
// equal to the spec for every input at n=1024

// A stencil of kPoints points over n elements, any n. A lane keeps kOutputs elements in a row and answers for as many;
// what its window has beyond them other lanes keep, and what the warp's last windows have beyond the warp's elements its
// first lanes keep besides.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kOutputs * kThreads - 1) / (kOutputs * kThreads)) block(kThreads)
// swizzle instance n = kOutputs * kThreads
// swizzle check n = 2500

constexpr int kPoints = 33;
constexpr int kOutputs = 8;
constexpr int kThreads = 128;
constexpr int kRim = (kPoints - 2) / kOutputs + 1;  // lanes whose elements a window reaches beyond its own lane's

// The kOutputs elements from i on, by four where all four are there.
__device__ __forceinline__ void fill(float (&r)[kOutputs], const float* x, int i, int count) {
#pragma unroll
  for (int e = 0; e < kOutputs; e += 4) {
    if (i + e + 3 < count) {
      const float4 v = *reinterpret_cast<const float4*>(&x[i + e]);
      r[e] = v.x, r[e + 1] = v.y, r[e + 2] = v.z, r[e + 3] = v.w;
    } else {
#pragma unroll
      for (int f = e; f < e + 4; f++) r[f] = i + f < count ? x[i + f] : 0;
    }
  }
}

__global__ void __launch_bounds__(kThreads) stencil1d(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = kOutputs * (blockIdx.x * kThreads + threadIdx.x);

  float own[kOutputs], rim[kOutputs];
  fill(own, x, i, n + kPoints - 1);
  if (lane < kRim) fill(rim, x, i + 32 * kOutputs, n + kPoints - 1);

  float window[kOutputs + kPoints - 1];
#pragma unroll
  for (int e = 0; e < kOutputs; e++) window[e] = own[e];
#pragma unroll
  for (int e = kOutputs; e < kOutputs + kPoints - 1; e++) {
    const int away = e / kOutputs;
    const float sent = (lane < away) ? rim[e % kOutputs] : own[e % kOutputs];
    window[e] = __shfl_sync(FULL_MASK, sent, (lane + away) & 31);
  }

  float out[kOutputs] = {};
#pragma unroll
  for (int k = 0; k < kPoints; k++)
#pragma unroll
    for (int j = 0; j < kOutputs; j++) out[j] += window[j + k];

#pragma unroll
  for (int j = 0; j < kOutputs; j += 4) {
    if (i + j + 3 < n) {
      *reinterpret_cast<float4*>(&y[i + j]) = make_float4(out[j], out[j + 1], out[j + 2], out[j + 3]);
    } else {
#pragma unroll
      for (int e = j; e < j + 4; e++)
        if (i + e < n) y[i + e] = out[e];
    }
  }
}
