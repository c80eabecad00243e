// Transposes 64 x 64 bit matrices, rows t and t + 32 of a matrix in a lane: five rounds through shuffles that exchange halves
// of both words at once, one between a lane's own words.
#pragma swizzle launch grid(n / 64) block(32)
#pragma swizzle instance n = 64
#pragma swizzle check n = 192
#pragma swizzle bits(x, y)

using u64 = unsigned long long;

__global__ void bits_wide64(const u64* x, u64* y, int n) {
  const int lane = threadIdx.x % 32, i = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 64 + lane;
  u64 a = x[i], b = x[i + 32];
#pragma unroll
  for (int k = 0; k < 5; k++) {
    const int distance = 1 << ?sw_const(0, 5, k), s = 1 << ?sw_const(0, 6, k);
    const u64 m = ?sw_mask(k);
    const bool up = (lane & distance) != 0;
    const u64 sent = up ? (a & m) | (b << s & ~m) : (a >> s & m) | (b & ~m);
    const u64 got = __shfl_xor_sync(0xffffffffu, sent, distance);
    a = up ? (got & m) | (a & ~m) : (a & m) | (got << s & ~m);
    b = up ? (got >> s & m) | (b & ~m) : (b & m) | (got & ~m);
  }
  const int s = 1 << ?sw_const(0, 6);
  const u64 m = ?sw_mask();
  y[i] = (a & m) | (b << s & ~m);
  y[i + 32] = (a >> s & m) | (b & ~m);
}
