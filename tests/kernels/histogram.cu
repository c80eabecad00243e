// Bins that data choose: their addresses are not counted, and everything else is.
#include <cuda_runtime.h>

#define NUM_BINS 256

__global__ void histogram_smem_atomics(const unsigned char *in, int width, int height, unsigned int *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int nx = blockDim.x * gridDim.x;
  int ny = blockDim.y * gridDim.y;
  int t = threadIdx.x + threadIdx.y * blockDim.x;
  int nt = blockDim.x * blockDim.y;
  int g = blockIdx.x + blockIdx.y * gridDim.x;
  __shared__ unsigned int smem[3 * NUM_BINS + 3];
  for (int i = t; i < 3 * NUM_BINS + 3; i += nt) smem[i] = 0;
  __syncthreads();
  for (int col = x; col < width; col += nx)
    for (int row = y; row < height; row += ny) {
      unsigned int r = in[row * width + col];
      atomicAdd(&smem[NUM_BINS * 0 + r + 0], 1);
    }
  __syncthreads();
  out += g * NUM_BINS * 3;
  for (int i = t; i < NUM_BINS; i += nt) {
    out[i + NUM_BINS * 0] = smem[i + NUM_BINS * 0];
    out[i + NUM_BINS * 1] = smem[i + NUM_BINS * 1 + 1];
  }
}

// One column of the table for each lane: no two lanes of a warp share a bank, whatever the data are.
__global__ void histogram_columns(const int *in, int *out, int n) {
  __shared__ int bins[64][32];
  const int lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x) (&bins[0][0])[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int bin = in[i] & 63;
    if (bin > 3) atomicAdd(&bins[bin][lane], 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    int sum = 0;
    for (int l = 0; l < 32; ++l) sum += bins[threadIdx.x][l];
    out[threadIdx.x] = sum;
  }
}

void run(const unsigned char *image, const int *in, unsigned *out, int *bins) {
  histogram_smem_atomics<<<dim3(4, 4), dim3(32, 4)>>>(image, 256, 64, out);
  histogram_columns<<<1, 128>>>(in, bins, 512);
}
