// Completed by swizzle-synth 0.1.0 from transpose_any.cu
// spec: transpose_any.cpp
//   sw_layout at 9:12: L(r, c) = r * 65 + c, 32 wavefronts, the ideal
//     CuTe: Layout<Shape<_64, _64>, Stride<_65, _1>>
// cost of a warp: 320 (shuffles 0, accumulates 0, shared wavefronts 32, loads 16, integer operations 64), proved minimal
// equal to the spec for every input at h=64, w=64

// Transposes a matrix of floats of any width and height by tiles of 64 x 64. Rows begin anywhere, so that the matrices are read and
// written float by float, 16 a thread; how the tile lies in shared memory is open.
// swizzle launch grid((h + 63) / 64, (w + 63) / 64) block(64, 4)
// swizzle instance w = 64, h = 64
// swizzle check w = 77, h = 67

__global__ void __launch_bounds__(256)
transpose_any(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  // L(r, c) = r * 65 + c: 64 x 64 elements in 4160
  __shared__ float tile[4160];
  const int left = blockIdx.y * 64, top = blockIdx.x * 64;
  const int c = threadIdx.x;

#pragma unroll
  for (int r = threadIdx.y; r < 64; r += 4)
    if (left + c < w && top + r < h) tile[r * 65 + c] = x[(top + r) * w + left + c];
  __syncthreads();
#pragma unroll
  for (int r = threadIdx.y; r < 64; r += 4)
    if (left + r < w && top + c < h) y[(left + r) * h + top + c] = tile[c * 65 + r];
}
