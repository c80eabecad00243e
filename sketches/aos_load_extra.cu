// Loads an array of structs of kFields floats as aos_load_crc.cu does, for sizes that share a factor with the warp and are
// no power of two: there lanes and registers must be permuted in two digits, each by itself.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 512

constexpr int kFields = 6;

__global__ void aos_load_extra(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i - lane;

  float r[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = x[kFields * first + 32 * j + lane];

  float rotated[kFields], fetched[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform_extra(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform_extra(lane, 32, j));
#pragma unroll
  for (int j = 0; j < kFields; j++) y[j * n + i] = fetched[?sw_xform_extra(j, kFields, lane)];
}
