// stencil1d.cu for elements of 64 bits, of which a vector has two. A stencil of kPoints points over n elements, any n. A lane keeps kOutputs elements in a row and answers for as many;
// what its window has beyond them other lanes keep, and what the warp's last windows have beyond the warp's elements its
// first lanes keep besides.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + kOutputs * kThreads - 1) / (kOutputs * kThreads)) block(kThreads)
#pragma swizzle instance n = kOutputs * kThreads
#pragma swizzle check n = 2501

constexpr int kPoints = 9;
constexpr int kOutputs = 2;
constexpr int kThreads = 128;
constexpr int kRim = (kPoints - 2) / kOutputs + 1;  // lanes whose elements a window reaches beyond its own lane's

// The kOutputs elements from i on, by two where both are there.
__device__ __forceinline__ void fill(double (&r)[kOutputs], const double* x, int i, int count) {
#pragma unroll
  for (int e = 0; e < kOutputs; e += 2) {
    if (i + e + 1 < count) {
      const double2 v = *reinterpret_cast<const double2*>(&x[i + e]);
      r[e] = v.x, r[e + 1] = v.y;
    } else {
#pragma unroll
      for (int f = e; f < e + 2; f++) r[f] = i + f < count ? x[i + f] : 0;
    }
  }
}

__global__ void __launch_bounds__(kThreads) stencil1d_double(const double* __restrict__ x, double* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = kOutputs * (blockIdx.x * kThreads + threadIdx.x);

  double own[kOutputs], rim[kOutputs];
  fill(own, x, i, n + kPoints - 1);
  if (lane < kRim) fill(rim, x, i + 32 * kOutputs, n + kPoints - 1);

  double window[kOutputs + kPoints - 1];
#pragma unroll
  for (int e = 0; e < kOutputs; e++) window[e] = own[e];
#pragma unroll
  for (int e = kOutputs; e < kOutputs + kPoints - 1; e++) {
    const int away = e / kOutputs;
    const double sent = ?sw_cond(lane, away) ? rim[e % kOutputs] : own[e % kOutputs];
    window[e] = __shfl_sync(FULL_MASK, sent, ?sw_xform(lane, 32, away));
  }

  double out[kOutputs] = {};
#pragma unroll
  for (int k = 0; k < kPoints; k++)
#pragma unroll
    for (int j = 0; j < kOutputs; j++) out[j] += window[j + k];

#pragma unroll
  for (int j = 0; j < kOutputs; j += 2) {
    if (i + j + 1 < n) {
      *reinterpret_cast<double2*>(&y[i + j]) = make_double2(out[j], out[j + 1]);
    } else {
#pragma unroll
      for (int e = j; e < j + 2; e++)
        if (i + e < n) y[i + e] = out[e];
    }
  }
}
