// Completed by swizzle-synth 0.1.0 from conv2d.cu
// spec: conv2d.cpp
//   sw_cond at 46:30 = lane == 31
//   sw_cond at 47:29 = lane == 0
//   sw_xform at 48:49 = (lane - 1) & 31
//   sw_xform at 49:61 = (lane + 1) & 31
// cost of a warp: 3326 (shuffles 44, accumulates 700, multiplies 700, shared wavefronts 0, loads 27.25, integer operations 132), proved minimal
// equal to the spec for every input at h=7, w=128

// A convolution with kSize x kSize weights over an image of any height and of rows of whole float4, with zeros around it.
// A warp computes 128 columns of kRows rows, four columns a lane; weights and sums stay in registers while the rows of
// the image pass by. What lies left and right of the warp's columns its last and first lane keep besides.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((w + 127) / 128, (h + kRows * kWarps - 1) / (kRows * kWarps)) block(32, kWarps)
// swizzle instance w = 128, h = kRows
// swizzle check w = 136, h = 37
#pragma swizzle assume w % 4 == 0

constexpr int kSize = 5;
constexpr int kReach = kSize / 2;
constexpr int kRows = 7;
constexpr int kWarps = 4;

__device__ __forceinline__ void fill(float (&r)[4], const float* x, bool inside) {
  const float4 v = inside ? *reinterpret_cast<const float4*>(x) : make_float4(0, 0, 0, 0);
  r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w;
}

__global__ void __launch_bounds__(32 * kWarps)
conv2d(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int w, int h) {
  const int lane = threadIdx.x;
  const int left = blockIdx.x * 128, top = (blockIdx.y * kWarps + threadIdx.y) * kRows;
  const int own_column = left + 4 * lane, rim_column = lane == 0 ? left + 128 : left - 4;
  const bool has_own = own_column < w;
  const bool has_rim = (lane == 0 && rim_column < w) || (lane == 31 && rim_column >= 0);

  float weight[kSize][kSize];
#pragma unroll
  for (int k = 0; k < kSize * kSize; k++) weight[k / kSize][k % kSize] = weights[k];

  float out[kRows][4] = {};
#pragma unroll
  for (int r = -kReach; r < kRows + kReach; r++) {
    const bool in_rows = top + r >= 0 && top + r < h;
    float own[4], rim[4];
    fill(own, &x[(top + r) * w + own_column], in_rows && has_own);
    fill(rim, &x[(top + r) * w + rim_column], in_rows && has_rim);

    float row[kReach + 4 + kReach];
#pragma unroll
    for (int e = 0; e < 4; e++) row[kReach + e] = own[e];
#pragma unroll
    for (int e = 0; e < kReach; e++) {
      const float to_right = (lane == 31) ? rim[4 - kReach + e] : own[4 - kReach + e];
      const float to_left = (lane == 0) ? rim[e] : own[e];
      row[e] = __shfl_sync(FULL_MASK, to_right, (lane - 1) & 31);
      row[kReach + 4 + e] = __shfl_sync(FULL_MASK, to_left, (lane + 1) & 31);
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
