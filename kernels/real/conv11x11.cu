// Completed by swizzle-synth 0.1.0 from conv2d_rows.cu
// spec: conv2d_rows.cpp
//   sw_cond at 54:29 = lane < away
//   sw_cond at 55:30 = lane + away >= 32
//   sw_xform at 56:61 = (lane + away) & 31
//   sw_xform at 57:62 = (lane - away) & 31
// cost of a warp: 31070 (shuffles 180, accumulates 5632, multiplies 8712, shared wavefronts 0, loads 129, integer operations 630), proved minimal
// equal to the spec for every input at h=8, w=128

// A convolution with kSize x kSize weights over an image of any height and of rows of whole float4, with zeros around it.
// A warp computes 128 columns, four a lane, and goes down kRows rows: a row of the image adds to the sums of kSize rows of
// outputs, of which the first is complete then. The next row is read meanwhile. What lies left and right of the warp's
// columns its first and last lanes keep besides.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((w + 127) / 128, (h + kRows * kWarps - 1) / (kRows * kWarps)) block(32, kWarps)
// swizzle instance w = 128, h = 8
// swizzle check w = 136, h = 37
#pragma swizzle assume w % 4 == 0

constexpr int kSize = 11;
constexpr int kReach = kSize / 2;
constexpr int kRows = 512;
constexpr int kWarps = 1;
constexpr int kRim = (kReach + 3) / 4;  // lanes whose columns a window reaches beyond its own lane's, on either side

__device__ __forceinline__ void fill(float (&r)[4], const float* x, bool inside) {
  const float4 v = inside ? *reinterpret_cast<const float4*>(x) : make_float4(0, 0, 0, 0);
  r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w;
}

__global__ void __launch_bounds__(32 * kWarps)
conv2d(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int w, int h) {
  const int lane = threadIdx.x;
  const int left = blockIdx.x * 128, top = (blockIdx.y * kWarps + threadIdx.y) * kRows;
  const int own_column = left + 4 * lane, rim_column = lane < 16 ? own_column + 128 : own_column - 128;
  const bool has_own = own_column < w;
  const bool has_rim = (lane < kRim && rim_column < w) || (lane >= 32 - kRim && rim_column >= 0);
  const int end = min(top + kRows, h);  // of the rows of outputs

  float weight[kSize][kSize];
#pragma unroll
  for (int k = 0; k < kSize * kSize; k++) weight[k / kSize][k % kSize] = weights[k];

  float sum[kSize][4] = {}, next[4], next_rim[4];
  fill(next, &x[(top - kReach) * w + own_column], top >= kReach && top < end && has_own);
  fill(next_rim, &x[(top - kReach) * w + rim_column], top >= kReach && top < end && has_rim);
#pragma unroll 1
  for (int r = top - kReach; r < end + kReach; r++) {
    float own[4], rim[4];
#pragma unroll
    for (int e = 0; e < 4; e++) own[e] = next[e], rim[e] = next_rim[e];
    const bool has_next = r + 1 >= 0 && r + 1 < min(end + kReach, h);
    fill(next, &x[(r + 1) * w + own_column], has_next && has_own);
    fill(next_rim, &x[(r + 1) * w + rim_column], has_next && has_rim);

    float row[kReach + 4 + kReach];
#pragma unroll
    for (int e = 0; e < 4; e++) row[kReach + e] = own[e];
#pragma unroll
    for (int e = 0; e < kReach; e++) {
      const int away = e / 4 + 1;  // lanes
      const float to_left = (lane < away) ? rim[e % 4] : own[e % 4];
      const float to_right = (lane + away >= 32) ? rim[3 - e % 4] : own[3 - e % 4];
      row[kReach + 4 + e] = __shfl_sync(FULL_MASK, to_left, (lane + away) & 31);
      row[kReach - 1 - e] = __shfl_sync(FULL_MASK, to_right, (lane - away) & 31);
    }

#pragma unroll
    for (int o = 0; o < kSize; o++)  // the sums of row r - kReach + o
#pragma unroll
      for (int e = 0; e < 4; e++) {
        sum[o][e] = o + 1 < kSize ? sum[o + 1][e] : 0;
#pragma unroll
        for (int k = 0; k < kSize; k++) sum[o][e] += weight[kSize - 1 - o][k] * row[k + e];
      }
    if (r - kReach >= top && has_own)
      *reinterpret_cast<float4*>(&y[(r - kReach) * w + own_column]) = make_float4(sum[0][0], sum[0][1], sum[0][2], sum[0][3]);
  }
}
