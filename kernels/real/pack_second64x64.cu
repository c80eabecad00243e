// Completed by swizzle-synth 0.1.0 from operand_pack_second.cu
// spec: operand_pack_second.cpp
//   sw_layout at 23:12: L(r, c) = r * 72 + c, 16 wavefronts, the ideal
//     CuTe: Layout<Shape<_64, _64>, Stride<_72, _1>>
// cost of a warp: 88 (shuffles 0, accumulates 0, shared wavefronts 16, loads 2, integer operations 8), proved minimal
// equal to the spec for every input at h=64, w=64

// A matrix of halves in the order in which tensor cores take it: of each tile of kRows x kColumns, one 16 x 16 fragment after the other as
// mma.m16n8k16 wants two of its second operand, eight halves a lane; zeros around the matrix. How the tile lies in shared memory,
// between stores of 16 bytes by rows and ldmatrix.trans, is open.
#include <cuda_fp16.h>

// swizzle launch grid((w + kColumns - 1) / kColumns, (h + kRows - 1) / kRows) block(256)
// swizzle instance w = kColumns, h = kRows
// swizzle check w = kColumns + 24, h = kRows + 9
#pragma swizzle assume w % 8 == 0

constexpr int kRows = 64;
constexpr int kColumns = 64;
constexpr int kPieces = kRows * kColumns / 2048;    // of 8 halves, a thread
constexpr int kFragments = kRows * kColumns / 256;  // of a tile

__device__ __forceinline__ void load_transposed(unsigned (&r)[4], const half* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}

__global__ void __launch_bounds__(256) operand_pack_second(const half* __restrict__ x, half* __restrict__ y, int w, int h) {
  // L(r, c) = r * 72 + c: 64 x 64 elements in 4608
  __shared__ __align__(16) half tile[4608];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * kColumns, top = blockIdx.y * kRows;

#pragma unroll
  for (int q = 0; q < kPieces; q++) {
    const int piece = 256 * q + threadIdx.x, r = piece / (kColumns / 8), c = piece % (kColumns / 8) * 8;
    const bool inside = top + r < h && left + c < w;
    *reinterpret_cast<uint4*>(&tile[r * 72 + c]) =
        inside ? *reinterpret_cast<const uint4*>(&x[(top + r) * w + left + c]) : make_uint4(0, 0, 0, 0);
  }
  __syncthreads();
  const int first = (blockIdx.y * gridDim.x + blockIdx.x) * kFragments;
#pragma unroll
  for (int q = 0; q < kPieces; q++) {
    const int fragment = 8 * q + warp, down = fragment / (kColumns / 16) * 16, across = fragment % (kColumns / 16) * 16;
    unsigned a[4];
    load_transposed(a, &tile[(down + lane % 16) * 72 + (across + lane / 16 * 8)]);
    *reinterpret_cast<uint4*>(&y[((first + fragment) * 32 + lane) * 8]) = make_uint4(a[0], a[1], a[2], a[3]);
  }
}
