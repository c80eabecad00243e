// A 2D stencil with a halo, and 1D with a radius as template parameter; a helper loads the tile.
#include "stencil_common.h"

#define BX 32
#define BY 8
#define R 1

__constant__ float coefficients[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};

__device__ void load_tile(float tile[BY + 2 * R][BX + 2 * R], const float *in, int nx, int ny) {
  for (int y = threadIdx.y; y < BY + 2 * R; y += BY)
    for (int x = threadIdx.x; x < BX + 2 * R; x += BX) {
      const int gx = min(max(int(blockIdx.x * BX) + x - R, 0), nx - 1);
      const int gy = min(max(int(blockIdx.y * BY) + y - R, 0), ny - 1);
      tile[y][x] = in[gy * nx + gx];
    }
}

__global__ void __launch_bounds__(BX *BY) stencil9(const float *__restrict__ in, float *__restrict__ out, int nx, int ny) {
  __shared__ float tile[BY + 2 * R][BX + 2 * R];
  load_tile(tile, in, nx, ny);
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int dy = -R; dy <= R; ++dy)
#pragma unroll
    for (int dx = -R; dx <= R; ++dx) sum += coefficients[(dy + R) * 3 + dx + R] * tile[threadIdx.y + R + dy][threadIdx.x + R + dx];
  out[(blockIdx.y * BY + threadIdx.y) * nx + blockIdx.x * BX + threadIdx.x] = sum;
}

template <int RADIUS = 3, int THREADS = 128>
__global__ void stencil_1d(const int *in, int *out) {
  __shared__ int temp[THREADS + 2 * RADIUS];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x;
  int lindex = threadIdx.x + RADIUS;
  temp[lindex] = in[gindex];
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + THREADS] = in[gindex + THREADS];
  }
  __syncthreads();
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[lindex + offset];
  out[gindex] = result;
}

template __global__ void stencil_1d<3, 128>(const int *, int *);
