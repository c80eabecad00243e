// Completed by swizzle-synth 0.1.0 from stencil1d_mirror.cu
// spec: stencil1d_mirror.cpp
//   sw_cond at 42:28 = lane == 31
//   sw_cond at 43:27 = lane == 0
//   sw_xform at 44:50 = (lane - 1) & 31
//   sw_xform at 45:62 = (lane + 1) & 31
// cost of a warp: 100 (shuffles 4, accumulates 20, shared wavefronts 0, loads 4, integer operations 12), proved minimal
// equal to the spec for every input at n=512

// A stencil of kPoints points around each of n elements; beyond its ends the array goes on mirrored (the last element once). A lane
// keeps four elements in a row and answers for as many; what lies left and right of the warp's elements its last and
// first lane keep besides.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + 4 * kThreads - 1) / (4 * kThreads)) block(kThreads)
// swizzle instance n = 4 * kThreads
// swizzle check n = 1030
#pragma swizzle assume n > kReach

constexpr int kPoints = 5;  // odd, 9 at most
constexpr int kReach = kPoints / 2;
constexpr int kThreads = 128;

// The four elements from i on.
__device__ __forceinline__ void fill(float (&r)[4], const float* x, int i, int n) {
  if (i >= 0 && i + 3 < n) {
    const float4 v = *reinterpret_cast<const float4*>(&x[i]);
    r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w;
  } else {
#pragma unroll
    for (int e = 0; e < 4; e++) {
      const int at = i + e < 0 ? -i - e : i + e < n ? i + e : 2 * n - 2 - i - e;
      r[e] = at >= 0 && at < n ? x[at] : 0;  // nobody needs what lies farther outside than kReach
    }
  }
}

__global__ void __launch_bounds__(kThreads) stencil1d_mirror(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = 4 * (blockIdx.x * kThreads + threadIdx.x);

  float own[4], rim[4] = {};
  fill(own, x, i, n);
  if (lane == 0 || lane == 31) fill(rim, x, lane == 0 ? i + 128 : i - 128, n);

  float window[kReach + 4 + kReach];
#pragma unroll
  for (int e = 0; e < 4; e++) window[kReach + e] = own[e];
#pragma unroll
  for (int e = 0; e < kReach; e++) {
    const float to_right = (lane == 31) ? rim[4 - kReach + e] : own[4 - kReach + e];
    const float to_left = (lane == 0) ? rim[e] : own[e];
    window[e] = __shfl_sync(FULL_MASK, to_right, (lane - 1) & 31);
    window[kReach + 4 + e] = __shfl_sync(FULL_MASK, to_left, (lane + 1) & 31);
  }

  float out[4] = {};
#pragma unroll
  for (int k = 0; k < kPoints; k++)
#pragma unroll
    for (int j = 0; j < 4; j++) out[j] += window[j + k];

  if (i + 3 < n) {
    *reinterpret_cast<float4*>(&y[i]) = make_float4(out[0], out[1], out[2], out[3]);
  } else {
#pragma unroll
    for (int e = 0; e < 4; e++)
      if (i + e < n) y[i + e] = out[e];
  }
}
