// Completed by swizzle-synth 0.1.0 from depthwise_nhwc.cu
// spec: depthwise_nhwc.cpp
//   sw_cond at 41:30 = lane >= 28
//   sw_cond at 42:29 = lane < 4
//   sw_xform at 43:52 = (lane - 4) & 31
//   sw_xform at 45:51 = (lane + 4) & 31
// cost of a warp: 992 (shuffles 48, accumulates 132, multiplies 144, shared wavefronts 0, loads 13, integer operations 144), proved minimal
// equal to the spec for every input at h=4, w=8

// A convolution of each of kChannels channels with 3 x 3 weights of its own, zeros around the image, channels innermost. A
// warp computes kRows rows of 8 columns and 16 channels: lanes 4 apart have neighbouring columns, and what lies left and
// right of the warp's columns its last and first four lanes keep besides.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((w + 7) / 8, (h + kRows - 1) / kRows) block(32, kChannels / 16)
// swizzle instance w = 8, h = kRows
// swizzle check w = 19, h = 9

constexpr int kChannels = 64;
constexpr int kRows = 4;

__device__ __forceinline__ void fill(float (&r)[4], const float* x, bool inside) {
  const float4 v = inside ? *reinterpret_cast<const float4*>(x) : make_float4(0, 0, 0, 0);
  r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w;
}

__global__ void __launch_bounds__(2 * kChannels)
depthwise_nhwc(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int w, int h) {
  const int lane = threadIdx.x;
  const int channel = 16 * threadIdx.y + 4 * (lane % 4);
  const int column = 8 * blockIdx.x + lane / 4, rim_column = lane < 16 ? column + 8 : column - 8;
  const int top = blockIdx.y * kRows;
  const bool has_own = column < w;
  const bool has_rim = (lane < 4 && rim_column < w) || (lane >= 28 && rim_column >= 0);

  float weight[9][4];
#pragma unroll
  for (int k = 0; k < 9; k++) fill(weight[k], &weights[kChannels * k + channel], true);

  float out[kRows][4] = {};
#pragma unroll
  for (int r = -1; r <= kRows; r++) {
    const bool in_rows = top + r >= 0 && top + r < h;
    float own[4], rim[4];
    fill(own, &x[((top + r) * w + column) * kChannels + channel], in_rows && has_own);
    fill(rim, &x[((top + r) * w + rim_column) * kChannels + channel], in_rows && has_rim);
    float row[3][4];
#pragma unroll
    for (int e = 0; e < 4; e++) {
      const float to_right = (lane >= 28) ? rim[e] : own[e];
      const float to_left = (lane < 4) ? rim[e] : own[e];
      row[0][e] = __shfl_sync(FULL_MASK, to_right, (lane - 4) & 31);
      row[1][e] = own[e];
      row[2][e] = __shfl_sync(FULL_MASK, to_left, (lane + 4) & 31);
    }
#pragma unroll
    for (int o = r - 1; o <= r + 1; o++) {
      if (o < 0 || o >= kRows) continue;
#pragma unroll
      for (int k = 0; k < 3; k++)
#pragma unroll
        for (int e = 0; e < 4; e++) out[o][e] += weight[3 * (r - o + 1) + k][e] * row[k][e];
    }
  }
  if (!has_own) return;
#pragma unroll
  for (int o = 0; o < kRows; o++) {
    if (top + o < h)
      *reinterpret_cast<float4*>(&y[((top + o) * w + column) * kChannels + channel]) =
          make_float4(out[o][0], out[o][1], out[o][2], out[o][3]);
  }
}
