// Loads an array of structs of kFields floats, coalesced, and hands every lane its struct; the fields go to separate
// arrays. Rows, the lanes of a register, are permuted; then columns, the registers of a lane; then rows again.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 512

constexpr int kFields = 3;

__global__ void aos_load_rcr(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i - lane;

  float r[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = x[kFields * first + 32 * j + lane];

  float fetched[kFields], rotated[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, r[j], ?sw_xform(lane, 32, j));
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = fetched[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) y[j * n + i] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
}
