// Sums the kFields floats of every struct in an array of structs, which is loaded coalesced: each lane collects its
// struct from the registers of the warp, in whatever order costs least.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

constexpr int kFields = 3;

__global__ void aos_sum(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i - lane;

  float r[kFields];
#pragma unroll
  for (int j = 0; j < kFields; j++) r[j] = x[kFields * first + 32 * j + lane];

  float sum = 0;
#pragma unroll
  for (int j = 0; j < kFields; j++) sum += __shfl_sync(FULL_MASK, r[?sw_xform(j, kFields, lane)], ?sw_xform(lane, 32, j));
  y[i] = sum;
}
