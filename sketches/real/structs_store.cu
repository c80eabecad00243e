// The inverse of structs_load.cu: a struct of arrays becomes an array of structs of kFields floats.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + kStructs * kThreads - 1) / (kStructs * kThreads)) block(kThreads)
#pragma swizzle instance n = kStructs * kThreads
#pragma swizzle check n = 1000

constexpr int kFields = 8;
constexpr int kStructs = 2;  // a thread
constexpr int kThreads = 128;

__global__ void __launch_bounds__(kThreads)
structs_store(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = kStructs * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs

  float r[kStructs][kFields];
#pragma unroll
  for (int s = 0; s < kStructs; s++)
#pragma unroll
    for (int j = 0; j < kFields; j++) {
      const int i = first + 32 * s + lane;
      r[s][j] = i < n ? x[j * n + i] : 0;
    }
#pragma unroll
  for (int s = 0; s < kStructs; s++) {
    float rotated[kFields], sent[kFields];
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = r[s][?sw_xform(j, kFields, lane)];
#pragma unroll
    for (int j = 0; j < kFields; j++) sent[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
#pragma unroll
    for (int j = 0; j < kFields; j++) {
      const int at = kFields * (first + 32 * s) + 32 * j + lane;
      if (at < kFields * n) y[at] = sent[?sw_xform(j, kFields, lane)];
    }
  }
}
