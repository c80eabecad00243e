// The inverse of structs_load_wide.cu: a struct of arrays becomes an array of structs of kFields floats.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + 4 * kThreads - 1) / (4 * kThreads)) block(kThreads)
#pragma swizzle instance n = 4 * kThreads
#pragma swizzle check n = 1000
#pragma swizzle assume n % 4 == 0

constexpr int kFields = 8;
constexpr int kThreads = 128;

__global__ void __launch_bounds__(kThreads)
structs_store_wide(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32;
  const int first = 4 * (blockIdx.x * kThreads + threadIdx.x - lane);  // of the warp's structs
  const int i = first + 4 * lane;

  float own[4 * kFields];  // the lane's structs, one after the other
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const float4 v = i < n ? *reinterpret_cast<const float4*>(&x[j * n + i]) : make_float4(0, 0, 0, 0);
    own[j] = v.x, own[kFields + j] = v.y, own[2 * kFields + j] = v.z, own[3 * kFields + j] = v.w;
  }
  __align__(16) float r[kFields][4];
#pragma unroll
  for (int e = 0; e < 4; e++) {
    float mine[kFields], rotated[kFields], sent[kFields];
#pragma unroll
    for (int j = 0; j < kFields; j++) mine[j] = own[4 * j + e];
#pragma unroll
    for (int j = 0; j < kFields; j++) rotated[j] = mine[?sw_xform(j, kFields, lane)];
#pragma unroll
    for (int j = 0; j < kFields; j++) sent[j] = __shfl_sync(FULL_MASK, rotated[j], ?sw_xform(lane, 32, j));
#pragma unroll
    for (int j = 0; j < kFields; j++) r[j][e] = sent[?sw_xform(j, kFields, lane)];
  }
#pragma unroll
  for (int j = 0; j < kFields; j++) {
    const int at = kFields * first + 4 * (32 * j + lane);
    if (at < kFields * n) *reinterpret_cast<float4*>(&y[at]) = make_float4(r[j][0], r[j][1], r[j][2], r[j][3]);
  }
}
