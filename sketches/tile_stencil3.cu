// A 16x48 tile that three accesses use: stored by rows of 16 threads, read with a neighbour to the left and below.
#pragma swizzle launch grid(n / 768) block(16, 16)
#pragma swizzle instance n = 768
#pragma swizzle check n = 1536

__global__ void stencil(const float* x, float* y, int n) {
  auto L = ?sw_layout(16, 48);
  __shared__ float tile[L.size()];
  const int tx = threadIdx.x, ty = threadIdx.y, base = blockIdx.x * 768;
  for (int i = 0; i < 3; i++) tile[L(ty, tx + 16 * i)] = x[base + ty * 48 + tx + 16 * i];
  __syncthreads();
  for (int i = 0; i < 3; i++) {
    const int r = tx, c = ty + 16 * i;
    y[base + c * 16 + r] = tile[L(r, c)] + tile[L(r, c > 0 ? c - 1 : c)] + tile[L(r > 0 ? r - 1 : r, c)];
  }
}
