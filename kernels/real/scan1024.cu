// Completed by swizzle-synth 0.1.0 from scan_tiles.cu
// spec: scan_tiles.cpp
//   sw_const at 40:57 = 1 << k
//   sw_cond at 41:9 = (1 << k) <= lane
//   sw_cond at 47:18 = lane != 0
//   sw_cond at 50:9 = k < warp
// cost of a warp: 95 (shuffles 6, accumulates 15.5, shared wavefronts 4.5, loads 1, integer operations 14), proved minimal
// equal to the spec for every input at n=1024

// The running sums of each tile of kOutputs * kThreads elements, any n. A lane adds up its own elements, a warp its lanes'
// sums by shuffles, and a block its warps' sums by shared memory: how far each step reaches and who takes part is open.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kOutputs * kThreads - 1) / (kOutputs * kThreads)) block(kThreads)
// swizzle instance n = kOutputs * kThreads
// swizzle check n = 2500

constexpr int kOutputs = 4;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

// The kOutputs elements from i on, by four where all four are there.
__device__ __forceinline__ void fill(float (&r)[kOutputs], const float* x, int i, int n) {
#pragma unroll
  for (int e = 0; e < kOutputs; e += 4) {
    if (i + e + 3 < n) {
      const float4 v = *reinterpret_cast<const float4*>(&x[i + e]);
      r[e] = v.x, r[e + 1] = v.y, r[e + 2] = v.z, r[e + 3] = v.w;
    } else {
#pragma unroll
      for (int f = e; f < e + 4; f++) r[f] = i + f < n ? x[i + f] : 0;
    }
  }
}

__global__ void __launch_bounds__(kThreads) scan_tiles(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = kOutputs * (blockIdx.x * kThreads + threadIdx.x);

  float own[kOutputs];
  fill(own, x, i, n);
#pragma unroll
  for (int e = 1; e < kOutputs; e++) own[e] += own[e - 1];

  float upto = own[kOutputs - 1];  // the sum of this lane and those before it
#pragma unroll
  for (int k = 0; k < 5; k++) {
    const float other = __shfl_up_sync(FULL_MASK, upto, 1 << k);
    if ((1 << k) <= lane) upto += other;
  }
  if (lane == 31) sums[warp] = upto;
  __syncthreads();

  const float beside = __shfl_up_sync(FULL_MASK, upto, 1);
  float before = (lane != 0) ? beside : 0;  // the sum of what lies before this lane's elements
#pragma unroll
  for (int k = 0; k < kWarps; k++)
    if (k < warp) before += sums[k];

#pragma unroll
  for (int j = 0; j < kOutputs; j += 4) {
    if (i + j + 3 < n) {
      *reinterpret_cast<float4*>(&y[i + j]) = make_float4(before + own[j], before + own[j + 1], before + own[j + 2], before + own[j + 3]);
    } else {
#pragma unroll
      for (int e = j; e < j + 4; e++)
        if (i + e < n) y[i + e] = before + own[e];
    }
  }
}
