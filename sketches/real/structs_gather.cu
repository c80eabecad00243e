// Gathers structs of kFields floats by an index and hands every thread its own, field by field. Lanes side by side read
// one struct together; then columns, the registers of a lane, are permuted, then rows, the lanes of a register, then
// columns again.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + kThreads - 1) / kThreads) block(kThreads)
#pragma swizzle instance n = kThreads, m = 300
#pragma swizzle check n = 1000, m = 700
#pragma swizzle range index(0, m)

constexpr int kFields = 8;
constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
structs_gather(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n, int m) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int own = i < n ? index[i] : 0;

  float r[kFields], rotated[kFields], fetched[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int word = 32 * j + lane;
    r[j] = x[kFields * __shfl_sync(FULL_MASK, own, word / kFields) + word % kFields];
  }
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < kFields; j++) y[j * n + i] = fetched[?sw_xform(j, kFields, lane)];
}
