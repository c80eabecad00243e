// Completed by swizzle-synth 0.1.0 from transpose_sketch.cu
// spec: transpose.cu
//   sw_layout at 8:12: L(r, c) = r * 33 + c, 8 wavefronts, the ideal
//     CuTe: Layout<Shape<_32, _32>, Stride<_33, _1>>
// cost of a warp: 80 (shuffles 0, accumulates 0, shared wavefronts 8, loads 4, integer operations 16), proved minimal
// equal to the spec for every input at the only size
// equal to the spec for every launch

// The same with a layout: where each element lies is open.
#define TILE_DIM 32
#define BLOCK_ROWS 8

// swizzle launch grid(2, 2) block(32, 8)

__global__ void transpose(float *odata, const float *idata) {
  // L(r, c) = r * 33 + c: 32 x 32 elements in 1056
  __shared__ float tile[1056];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) tile[int(threadIdx.y + j) * 33 + int(threadIdx.x)] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = tile[int(threadIdx.x) * 33 + int(threadIdx.y + j)];
}
