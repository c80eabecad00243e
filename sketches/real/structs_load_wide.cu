// structs_load.cu by vectors of four floats on both sides: a warp's 128 structs are read as they lie, each lane gets four
// structs in a row, and writes four values of each field at once.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + 4 * kThreads - 1) / (4 * kThreads)) block(kThreads)
#pragma swizzle instance n = 4 * kThreads
#pragma swizzle check n = 1000
#pragma swizzle assume n % 4 == 0

constexpr int kFields = 8;
constexpr int kThreads = 128;

__global__ void __launch_bounds__(kThreads)
structs_load_wide(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = 4 * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs

  __align__(16) float r[kFields][4];
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int at = kFields * first + 4 * (32 * j + lane);
    const float4 v = at < kFields * n ? *reinterpret_cast<const float4*>(&x[at]) : make_float4(0, 0, 0, 0);
    r[j][0] = v.x, r[j][1] = v.y, r[j][2] = v.z, r[j][3] = v.w;
  }
  float own[4 * kFields];  // the lane's structs, one after the other
#pragma unroll
  for (int e = 0; e < 4; e++) {
    float mine[kFields], rotated[kFields], fetched[kFields];
#pragma unroll
    for (int j = 0; j < kFields; j++) mine[j] = r[j][e];
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = mine[?sw_xform(j, kFields, lane)];
#pragma unroll
    for (int j = 0; j < kFields; j++) fetched[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
#pragma unroll
    for (int j = 0; j < kFields; j++) own[4 * j + e] = fetched[?sw_xform(j, kFields, lane)];
  }
  const int i = first + 4 * lane;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < kFields; j++)
    *reinterpret_cast<float4*>(&y[j * n + i]) =
        make_float4(own[j], own[kFields + j], own[2 * kFields + j], own[3 * kFields + j]);
}
