#pragma swizzle launch grid(2) block(64)
__global__ void k(const int* x, int* y) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  __shared__ int h[4];
  if (t < 4) h[t] = 0;
  __syncthreads();
  atomicAdd(&h[x[i] & 3], 1);
  __syncthreads();
  if (t < 4) y[4 * blockIdx.x + t] = h[t];
}
