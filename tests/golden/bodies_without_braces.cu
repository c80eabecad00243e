// first line
//
// third line

//   swizzle launch grid(n / 64) block(32)
// swizzle instance n = 64
// swizzle extent x(n), y(n)
// #pragma swizzle in a comment stays
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  int r[2];
  if ((blockIdx.x << 6) + lane < n) r[0] = x[(blockIdx.x << 6) + lane];
  if ((blockIdx.x << 6) + 32 + lane < n) r[1] = x[(blockIdx.x << 6) + 32 + lane];
  int last[2];
  if ((n > 64 ? 64 : 0) + lane * 2 < n) last[0] = x[(n > 64 ? 64 : 0) + lane * 2];
  if ((n > 64 ? 64 : 0) + lane * 2 + 1 < n) last[1] = x[(n > 64 ? 64 : 0) + lane * 2 + 1];
  int o = 0;
  for (int k = 0; k < 2; k++)
    if (k == 0) { if (lane < 16) o += r[k]; }
    else { if (k <= lane) o += last[k]; }
  int sums[2] = {o, 1};
  if (n > 32) { if ((blockIdx.x << 6) + lane < n) y[(blockIdx.x << 6) + lane] = sums[0];
  if ((blockIdx.x << 6) + 32 + lane < n) y[(blockIdx.x << 6) + 32 + lane] = sums[1]; }
  else { if (lane < n) y[lane] = r[0];
  if (32 + lane < n) y[32 + lane] = r[1]; }
}
