// Loads an array of structs as aos_load_rcr.cu does, with a shuffle less a register: a row of 32 words is one access, in
// whatever order its lanes take the words, so that the first permutation of rows is a matter of addresses.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

constexpr int kFields = 3;

__global__ void aos_load_addresses(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i - lane;

  float r[kFields], rotated[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = x[kFields * first + 32 * j + ?sw_xform(lane, 32, j)];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) y[j * n + i] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
}
