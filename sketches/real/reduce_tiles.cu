// The sum of each tile of kInputs * kThreads elements, any n. A lane adds up its own elements, a warp its lanes' sums by
// shuffles, and the first lanes those of the block's warps by shared memory: which lanes meet in each step is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + kInputs * kThreads - 1) / (kInputs * kThreads)) block(kThreads)
#pragma swizzle instance n = kInputs * kThreads
#pragma swizzle check n = 5000

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
  for (int k = 0; k < 5; k++) sum += __shfl_xor_sync(FULL_MASK, sum, ?sw_const(1, 32, k));
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp > 0) return;

  float total = sums[?sw_xform(lane % kWarps, kWarps)];
#pragma unroll
  for (int k = 1; k < kWarps; k *= 2) total += __shfl_xor_sync(FULL_MASK, total, ?sw_const(1, 32, k));
  if (lane == 0) y[blockIdx.x] = total;
}
