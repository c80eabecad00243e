// The inverse of operand_pack.cu: 16 x 16 fragments, eight halves a lane, become tiles of kRows x kColumns of a matrix, as what
// mma.m16n8k16 leaves is put back. How the tile lies in shared memory, between stmatrix and loads of 16 bytes by rows, is open.
#include <cuda_fp16.h>

#pragma swizzle launch grid((w + kColumns - 1) / kColumns, (h + kRows - 1) / kRows) block(256)
#pragma swizzle instance w = kColumns, h = kRows
#pragma swizzle check w = kColumns + 24, h = kRows + 9
#pragma swizzle assume w % 8 == 0
#pragma swizzle extent x((h + kRows - 1) / kRows * kRows * ((w + kColumns - 1) / kColumns * kColumns))

constexpr int kRows = 64;
constexpr int kColumns = 64;
constexpr int kPieces = kRows * kColumns / 2048;    // of 8 halves, a thread
constexpr int kFragments = kRows * kColumns / 256;  // of a tile

__device__ __forceinline__ void store_fragment(half* row, uint4 r) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               :: "r"(address), "r"(r.x), "r"(r.y), "r"(r.z), "r"(r.w) : "memory");
}

__global__ void __launch_bounds__(256) operand_unpack(const half* __restrict__ x, half* __restrict__ y, int w, int h) {
  auto L = ?sw_layout(kRows, kColumns);
  __shared__ half tile[L.size()];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * kColumns, top = blockIdx.y * kRows;

  const int first = (blockIdx.y * gridDim.x + blockIdx.x) * kFragments;

#pragma unroll
  for (int q = 0; q < kPieces; q++) {
    const int fragment = 8 * q + warp, down = fragment / (kColumns / 16) * 16, across = fragment % (kColumns / 16) * 16;
    store_fragment(&tile[L(down + lane % 16, across + lane / 16 * 8)],
                   *reinterpret_cast<const uint4*>(&x[((first + fragment) * 32 + lane) * 8]));
  }
  __syncthreads();
#pragma unroll
  for (int q = 0; q < kPieces; q++) {
    const int piece = 256 * q + threadIdx.x, r = piece / (kColumns / 8), c = piece % (kColumns / 8) * 8;
    if (top + r < h && left + c < w)
      *reinterpret_cast<uint4*>(&y[(top + r) * w + left + c]) = *reinterpret_cast<uint4*>(&tile[L(r, c)]);
  }
}
