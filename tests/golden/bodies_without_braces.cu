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
  if ((blockIdx.x << 6) + int(threadIdx.x % 32) < n) r[0] = x[(blockIdx.x << 6) + int(threadIdx.x % 32)];
  if ((blockIdx.x << 6) + 32 + int(threadIdx.x % 32) < n) r[1] = x[(blockIdx.x << 6) + 32 + int(threadIdx.x % 32)];
  int last[2];
  if ((n > 64 ? 64 : 0) + int(threadIdx.x % 32) * 2 < n) last[0] = x[(n > 64 ? 64 : 0) + int(threadIdx.x % 32) * 2];
  if ((n > 64 ? 64 : 0) + int(threadIdx.x % 32) * 2 + 1 < n) last[1] = x[(n > 64 ? 64 : 0) + int(threadIdx.x % 32) * 2 + 1];
  int o = 0;
  for (int k = 0; k < 2; k++)
    if (k == 0) { if (lane < 16) o += r[k]; }
    else { if (k <= lane) o += last[k]; }
  int sums[2] = {o, 1};
  if (n > 32) { if ((blockIdx.x << 6) + int(threadIdx.x % 32) < n) y[(blockIdx.x << 6) + int(threadIdx.x % 32)] = sums[0];
  if ((blockIdx.x << 6) + 32 + int(threadIdx.x % 32) < n) y[(blockIdx.x << 6) + 32 + int(threadIdx.x % 32)] = sums[1]; }
  else { if (int(threadIdx.x % 32) < n) y[int(threadIdx.x % 32)] = r[0];
  if (32 + int(threadIdx.x % 32) < n) y[32 + int(threadIdx.x % 32)] = r[1]; }
}
