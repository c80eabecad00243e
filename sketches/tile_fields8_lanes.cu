// 32 structs of 8 floats, stored by float4 and loaded field by field: no layout alone is free of conflicts, so each lane also
// chooses the order in which it takes its fields.
#pragma swizzle launch grid(n / 256) block(32)
#pragma swizzle instance n = 256
#pragma swizzle check n = 1024

__global__ void fields(const float* x, float* y, int n) {
  auto L = ?sw_layout(32, 8);
  __shared__ float tile[L.size()];
  const int lane = threadIdx.x, base = blockIdx.x * 256;
  for (int i = 0; i < 2; i++) {
    const int r = i * 16 + lane / 2, c = lane % 2 * 4;
    *reinterpret_cast<float4*>(&tile[L(r, c)]) = *reinterpret_cast<const float4*>(&x[base + r * 8 + c]);
  }
  __syncwarp();
  float v[8];
  for (int i = 0; i < 8; i++) {
    const int c = ?sw_xor(i, 8, lane);
    v[i] = tile[L(lane, c)];
  }
  for (int i = 0; i < 8; i++) y[base + i * 32 + lane] = v[?sw_xor(i, 8, lane)];
}
