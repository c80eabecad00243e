// Completed by swizzle-synth 0.1.0 from reduce_tiles.cu
// spec: reduce_tiles.cpp
//   sw_const at 35:70 = 1 << k
//   sw_xform at 40:22 = (lane % kWarps)
//   sw_const at 42:82 = k
// cost of a warp: 100.75 (shuffles 5.375, accumulates 21.375, shared wavefronts 1.125, loads 4, integer operations 0), proved minimal
// equal to the spec for every input at n=4096

// The sum of each tile of kInputs * kThreads elements, any n. A lane adds up its own elements, a warp its lanes' sums by
// shuffles, and the first lanes those of the block's warps by shared memory: which lanes meet in each step is open.
#define FULL_MASK 0xffffffffu

// swizzle launch grid((n + kInputs * kThreads - 1) / (kInputs * kThreads)) block(kThreads)
// swizzle instance n = kInputs * kThreads
// swizzle check n = 5000

constexpr int kInputs = 16;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

__global__ void __launch_bounds__(kThreads) reduce_tiles(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = blockIdx.x * kInputs * kThreads;

  float own[kInputs], sum = 0;
  if (first + kInputs * kThreads <= n) {
#pragma unroll
    for (int k = 0; k < kInputs; k += 4) {
      const float4 v = *reinterpret_cast<const float4*>(&x[first + k * kThreads + 4 * threadIdx.x]);
      own[k] = v.x, own[k + 1] = v.y, own[k + 2] = v.z, own[k + 3] = v.w;
    }
  } else {
#pragma unroll
    for (int k = 0; k < kInputs; k++) {
      const int i = first + k * kThreads + threadIdx.x;
      own[k] = i < n ? x[i] : 0;
    }
  }
#pragma unroll
  for (int k = 0; k < kInputs; k++) sum += own[k];
#pragma unroll
  for (int k = 0; k < 5; k++) sum += __shfl_xor_sync(FULL_MASK, sum, 1 << k);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp > 0) return;

  float total = sums[(lane % kWarps)];
#pragma unroll
  for (int k = 1; k < kWarps; k *= 2) total += __shfl_xor_sync(FULL_MASK, total, k);
  if (lane == 0) y[blockIdx.x] = total;
}
