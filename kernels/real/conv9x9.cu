// Completed by swizzle-synth 0.1.0 from conv2d_wide.cu
// spec: conv2d_wide.cpp
//   sw_cond at 53:29 = lane == 0
//   sw_xform at 54:61 = (lane + 1) & 31
// cost of a warp: 7528 (shuffles 52, accumulates 1620, multiplies 1620, shared wavefronts 0, loads 85.5, integer operations 156), proved minimal
// equal to the spec for every input at h=5, w=128

// conv2d.cu for any odd kSize: windows may reach beyond the neighbouring lane's columns, so that several lanes keep what
// lies right of the warp's columns. What lies left of its own columns a lane reads for itself, through the cache: a vector
// is one instruction, where four shuffles and four choices would be eight.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((w + 127) / 128, (h + kRows * kWarps - 1) / (kRows * kWarps)) block(32, kWarps)
// swizzle instance w = 128, h = kRows
// swizzle check w = 136, h = 37
#pragma swizzle assume w % 4 == 0

constexpr int kSize = 9;
constexpr int kReach = kSize / 2;
constexpr int kRows = 5;
constexpr int kWarps = 4;
constexpr int kRim = (kReach + 3) / 4;  // lanes whose columns a window reaches beyond its own lane's, on either side

__device__ __forceinline__ void fill(float (&r)[4], const float* x, bool inside) {
  const float4 v = inside ? *reinterpret_cast<const float4*>(x) : make_float4(0, 0, 0, 0);
  r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w;
}

__global__ void __launch_bounds__(32 * kWarps)
conv2d(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int w, int h) {
  const int lane = threadIdx.x;
  const int left = blockIdx.x * 128, top = (blockIdx.y * kWarps + threadIdx.y) * kRows;
  const int own_column = left + 4 * lane, rim_column = own_column + 128;
  const bool has_own = own_column < w;
  const bool has_rim = lane < kRim && rim_column < w;

  float weight[kSize][kSize];
#pragma unroll
  for (int k = 0; k < kSize * kSize; k++) weight[k / kSize][k % kSize] = weights[k];

  float out[kRows][4] = {};
#pragma unroll
  for (int r = -kReach; r < kRows + kReach; r++) {
    const bool in_rows = top + r >= 0 && top + r < h;
    float own[4], rim[4], before[kRim][4];
    fill(own, &x[(top + r) * w + own_column], in_rows && has_own);
    fill(rim, &x[(top + r) * w + rim_column], in_rows && has_rim);
#pragma unroll
    for (int q = 0; q < kRim; q++) {
      const int column = own_column - 4 * (q + 1);
      fill(before[q], &x[(top + r) * w + column], in_rows && has_own && column >= 0);
    }

    float row[kReach + 4 + kReach];
#pragma unroll
    for (int e = 0; e < 4; e++) row[kReach + e] = own[e];
#pragma unroll
    for (int e = 0; e < kReach; e++) {
      [[maybe_unused]] const int away = e / 4 + 1;  // lanes
      const float to_left = (lane == 0) ? rim[e % 4] : own[e % 4];
      row[kReach + 4 + e] = __shfl_sync(FULL_MASK, to_left, (lane + 1) & 31);
      row[kReach - 1 - e] = before[e / 4][3 - e % 4];
    }

#pragma unroll
    for (int o = r - kReach; o <= r + kReach; o++) {
      if (o < 0 || o >= kRows) continue;
#pragma unroll
      for (int k = 0; k < kSize; k++)
#pragma unroll
        for (int e = 0; e < 4; e++) out[o][e] += weight[r - o + kReach][k] * row[k + e];
    }
  }
  if (!has_own) return;
#pragma unroll
  for (int o = 0; o < kRows; o++) {
    if (top + o < h)
      *reinterpret_cast<float4*>(&y[(top + o) * w + own_column]) = make_float4(out[o][0], out[o][1], out[o][2], out[o][3]);
  }
}
