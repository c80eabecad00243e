// Completed by swizzle-synth 0.1.0 from softmax_rows.cu
// spec: softmax_rows.cpp
//   sw_xor at 29:83 = lane ^ d
//   sw_xor at 38:70 = lane ^ d
// cost of a warp: 260 (shuffles 10, accumulates 73, multiplies 16, shared wavefronts 0, loads 4, integer operations 10), proved minimal
// equal to the spec for every input at h=4, w=512

// The softmax of each row, a warp a row, rows of up to kColumns elements. Maximum and sum of a row are those of its lanes':
// which lanes meet in each step is open.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((h + kWarps - 1) / kWarps) block(32, kWarps)
// swizzle instance w = kColumns, h = kWarps
// swizzle check w = 36, h = 6
#pragma swizzle assume w % 4 == 0, w <= kColumns

constexpr int kColumns = 512;
constexpr int kWarps = 4;
constexpr int kOwn = kColumns / 32;

__global__ void __launch_bounds__(32 * kWarps) softmax_rows(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  const int lane = threadIdx.x, row = blockIdx.x * kWarps + threadIdx.y;
  if (row >= h) return;

  float own[kOwn];
#pragma unroll
  for (int e = 0; e < kOwn; e += 4) {
    const int c = 32 * e + 4 * lane;
    const float4 v = c < w ? *reinterpret_cast<const float4*>(&x[row * w + c]) : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    own[e] = v.x, own[e + 1] = v.y, own[e + 2] = v.z, own[e + 3] = v.w;
  }
  float most = own[0];
#pragma unroll
  for (int e = 1; e < kOwn; e++) most = fmaxf(most, own[e]);
#pragma unroll
  for (int d = 1; d < 32; d *= 2) most = fmaxf(most, __shfl_sync(FULL_MASK, most, lane ^ d));

  float sum = 0;
#pragma unroll
  for (int e = 0; e < kOwn; e++) {
    own[e] = 32 * (e & ~3) + 4 * lane < w ? expf(own[e] - most) : 0;
    sum += own[e];
  }
#pragma unroll
  for (int d = 1; d < 32; d *= 2) sum += __shfl_sync(FULL_MASK, sum, lane ^ d);

#pragma unroll
  for (int e = 0; e < kOwn; e += 4) {
    const int c = 32 * e + 4 * lane;
    if (c < w)
      *reinterpret_cast<float4*>(&y[row * w + c]) = make_float4(own[e] / sum, own[e + 1] / sum, own[e + 2] / sum, own[e + 3] / sum);
  }
}
