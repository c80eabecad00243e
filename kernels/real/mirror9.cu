// Completed by swizzle-synth 0.1.0 from stencil1d_mirror.cu
// spec: stencil1d_mirror.cpp
//   sw_cond at 49:28 = lane == 31
//   sw_cond at 50:27 = lane == 0
//   sw_xform at 51:63 = (lane - 1) & 31
//   sw_xform at 52:69 = (lane + 1) & 31
// cost of a warp: 160 (shuffles 8, accumulates 36, shared wavefronts 0, loads 4, integer operations 24), proved minimal
// equal to the spec for every input at n=512

// A stencil of kPoints points around each of n elements; beyond its ends the array goes on mirrored (the last element once). A lane
// keeps kOutputs elements in a row and answers for as many; what its window has left and right of them other lanes keep, and what
// lies left and right of the warp's elements its last and first lanes keep besides.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kOutputs * kThreads - 1) / (kOutputs * kThreads)) block(kThreads)
// swizzle instance n = kOutputs * kThreads
// swizzle check n = kOutputs * kThreads + 515
#pragma swizzle assume n > kReach

constexpr int kPoints = 9;  // odd
constexpr int kReach = kPoints / 2;
constexpr int kOutputs = 4;  // a multiple of 4
constexpr int kThreads = 128;
constexpr int kRim = (kReach - 1) / kOutputs + 1;  // lanes whose elements a window reaches beyond its own lane's
static_assert(kRim <= 16, "first and last lanes of a warp are different ones");

// The kOutputs elements from i on, by four where all four are there.
__device__ __forceinline__ void fill(float (&r)[kOutputs], const float* x, int i, int n) {
#pragma unroll
  for (int e = 0; e < kOutputs; e += 4) {
    if (i + e >= 0 && i + e + 3 < n) {
      const float4 v = *reinterpret_cast<const float4*>(&x[i + e]);
      r[e] = v.x, r[e + 1] = v.y, r[e + 2] = v.z, r[e + 3] = v.w;
    } else {
#pragma unroll
      for (int f = e; f < e + 4; f++) {
        const int at = i + f < 0 ? -i - f : i + f < n ? i + f : 2 * n - 2 - i - f;
        r[f] = at >= 0 && at < n ? x[at] : 0;  // nobody needs what lies farther outside than kReach
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads) stencil1d_mirror(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = kOutputs * (blockIdx.x * kThreads + threadIdx.x);

  float own[kOutputs], rim[kOutputs] = {};
  fill(own, x, i, n);
  if (lane < kRim || lane >= 32 - kRim) fill(rim, x, lane < kRim ? i + 32 * kOutputs : i - 32 * kOutputs, n);

  float window[kReach + kOutputs + kReach];
#pragma unroll
  for (int e = 0; e < kOutputs; e++) window[kReach + e] = own[e];
#pragma unroll
  for (int e = 0; e < kReach; e++) {
    [[maybe_unused]] const int away = e / kOutputs + 1, left = (kOutputs - 1 - e % kOutputs), right = e % kOutputs;
    const float to_right = (lane == 31) ? rim[left] : own[left];
    const float to_left = (lane == 0) ? rim[right] : own[right];
    window[kReach - 1 - e] = __shfl_sync(FULL_MASK, to_right, (lane - 1) & 31);
    window[kReach + kOutputs + e] = __shfl_sync(FULL_MASK, to_left, (lane + 1) & 31);
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
