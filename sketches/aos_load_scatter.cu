// Loads an array of structs as aos_load_crc.cu does, but the last permutation of registers says where a fetched word goes
// rather than where it comes from.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 512

constexpr int kFields = 3;

__global__ void aos_load_scatter(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i - lane;

  float r[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = x[kFields * first + 32 * j + lane];

  float rotated[kFields], out[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) out[?sw_xform(j, kFields, lane)] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
#pragma unroll
  for (int j = 0; j < kFields; j++) y[j * n + i] = out[j];
}
