// A stencil of kPoints points around each of n elements; beyond its ends the array goes on mirrored (the last element once). A lane
// keeps four elements in a row and answers for as many; what lies left and right of the warp's elements its last and
// first lane keep besides.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + 4 * kThreads - 1) / (4 * kThreads)) block(kThreads)
#pragma swizzle instance n = 4 * kThreads
#pragma swizzle check n = 1030
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
    const float to_right = ?sw_cond(lane) ? rim[4 - kReach + e] : own[4 - kReach + e];
    const float to_left = ?sw_cond(lane) ? rim[e] : own[e];
    window[e] = __shfl_sync(FULL_MASK, to_right, ?sw_xform(lane, 32));
    window[kReach + 4 + e] = __shfl_sync(FULL_MASK, to_left, ?sw_xform(lane, 32));
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
