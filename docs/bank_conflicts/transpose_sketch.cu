// The same with a layout: where each element lies is open.
#define TILE_DIM 32
#define BLOCK_ROWS 8

#pragma swizzle launch grid(2, 2) block(32, 8)

__global__ void transpose(float *odata, const float *idata) {
  auto L = ?sw_layout(TILE_DIM, TILE_DIM);
  __shared__ float tile[L.size()];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) tile[L(threadIdx.y + j, threadIdx.x)] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = tile[L(threadIdx.x, threadIdx.y + j)];
}
