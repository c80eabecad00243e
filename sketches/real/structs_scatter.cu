// Stores each thread's struct of kFields floats, which came field by field, where an index says.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + kThreads - 1) / kThreads) block(kThreads)
#pragma swizzle instance n = kThreads, m = 300
#pragma swizzle check n = 1000, m = 1700
#pragma swizzle range index(0, m) distinct

constexpr int kFields = 8;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
structs_scatter(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n, int m) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int own = i < n ? index[i] : 0;

  float r[kFields], rotated[kFields], fetched[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = i < n ? x[j * n + i] : 0;
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int word = 32 * j + lane;
    const int to = __shfl_sync(FULL_MASK, own, word / kFields);
    if (i - lane + word / kFields < n) y[kFields * to + word % kFields] = fetched[?sw_xform(j, kFields, lane)];
  }
}
