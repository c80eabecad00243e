// Each of 32 threads counts in a row of 16 bins of its own; then 16 threads add up the columns.
#pragma swizzle launch grid(n / 512) block(32)
#pragma swizzle instance n = 512
#pragma swizzle check n = 1024

__global__ void histogram(const int* x, int* y, int n) {
  auto L = ?sw_layout(32, 16);
  __shared__ int bins[L.size()];
  const int t = threadIdx.x, base = blockIdx.x * 512;
  for (int b = 0; b < 16; b++) bins[L(t, b)] = x[base + b * 32 + t];
  __syncwarp();
  int sum = 0;
  if (t < 16)
    for (int r = 0; r < 32; r++) sum += bins[L(r, t)];
  if (t < 16) y[blockIdx.x * 16 + t] = sum;
}
