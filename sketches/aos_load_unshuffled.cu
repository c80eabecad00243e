// Loads an array of structs as aos_load_rcr.cu does, without a shuffle: a row of 32 words is one access, in whatever order
// its lanes take the words, so that the rows are permuted by the addresses of the loads and of the stores.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

constexpr int kFields = 3;

__global__ void aos_load_unshuffled(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;

  float r[kFields], rotated[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = x[kFields * first + 32 * j + ?sw_xform(lane, 32, j)];
#pragma unroll
  for (int j = 0; j < kFields; j++) rotated[j] = r[?sw_xform(j, kFields, lane)];
#pragma unroll
  for (int j = 0; j < kFields; j++) y[j * n + first + ?sw_xform(lane, 32, j)] = rotated[j];
}
