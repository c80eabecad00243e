// Loads an array of structs of kFields floats and hands every thread its own, field by field: what comes out is a struct
// of arrays. Columns, the registers of a lane, are permuted; then rows, the lanes of a register; then columns again.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + 255) / 256) block(256)
#pragma swizzle instance n = 256
#pragma swizzle check n = 1000

constexpr int kFields = 8;

__global__ void __launch_bounds__(256) structs_load(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int first = kFields * (i - lane);

  float r[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int at = first + 32 * j + lane;
    r[j] = at < kFields * n ? x[at] : 0;
  }

  float rotated[kFields], fetched[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < kFields; j++) y[j * n + i] = fetched[?sw_xform(j, kFields, lane)];
}
