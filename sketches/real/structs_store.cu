// The inverse of structs_load.cu: a struct of arrays becomes an array of structs of kFields floats.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + 255) / 256) block(256)
#pragma swizzle instance n = 256
#pragma swizzle check n = 1000

constexpr int kFields = 8;

__global__ void __launch_bounds__(256) structs_store(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int first = kFields * (i - lane);

  float r[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = i < n ? x[j * n + i] : 0;

  float rotated[kFields], sent[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) sent[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int at = first + 32 * j + lane;
    if (at < kFields * n) y[at] = sent[?sw_xform(j, kFields, lane)];
  }
}
