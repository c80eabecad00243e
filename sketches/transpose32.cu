// Transposes a matrix by tiles of 32x32, each held by a warp, a column a lane. Every register is sent once, and no lane
// sends two registers at a time: columns of the tile are permuted before and after.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(w / 32, h / 32) block(32)
#pragma swizzle instance w = 32, h = 32
#pragma swizzle check w = 64, h = 32
#pragma swizzle check w = 96, h = 64

constexpr int kTile = 32;

__global__ void transpose32(const float* x, float* y, int w, int h) {
  const int lane = threadIdx.x;
  const int left = blockIdx.x * kTile;
  const int top = blockIdx.y * kTile;

  float r[kTile];
#pragma unroll
  for (int j = 0; j < kTile; j++) r[j] = x[(top + j) * w + left + lane];

  float rotated[kTile], fetched[kTile];
#pragma unroll
  for (int j = 0; j < kTile; j++) rotated[j] = r[?sw_xform(j, kTile, lane)];
#pragma unroll
  for (int j = 0; j < kTile; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
#pragma unroll
  for (int j = 0; j < kTile; j++) y[(left + j) * h + top + lane] = fetched[?sw_xform(j, kTile, lane)];
}
