// Stores a struct of kFields floats from each lane to an array of structs, coalesced; the fields come from separate
// arrays. Columns, the registers of a lane, are permuted; then rows, the lanes of a register; then columns again.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 512

constexpr int kFields = 3;

__global__ void aos_store_crc(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i - lane;

  float r[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = x[j * n + i];

  float rotated[kFields], fetched[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
#pragma unroll
  for (int j = 0; j < kFields; j++) y[kFields * first + 32 * j + lane] = fetched[?sw_xform(j, kFields, lane)];
}
