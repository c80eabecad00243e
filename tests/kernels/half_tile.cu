// Half tiles: 128-bit stores by rows, ldmatrix by inline PTX, plain, padded and swizzled; cp.async; wmma.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <stdint.h>

using namespace nvcuda;

#define LDMATRIX_X4(R0, R1, R2, R3, addr) \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n" : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3) : "r"(addr))
#define LDMATRIX_X2_T(R0, R1, addr) asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n" : "=r"(R0), "=r"(R1) : "r"(addr))
#define CP_ASYNC_CG(dst, src, Bytes) asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(Bytes))
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_GROUP(N) asm volatile("cp.async.wait_group %0;\n" ::"n"(N))
#define HMMA16816(RD0, RD1, RA0, RA1, RA2, RA3, RB0, RB1, RC0, RC1)                                                        \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};\n"       \
               : "=r"(RD0), "=r"(RD1)                                                                                      \
               : "r"(RA0), "r"(RA1), "r"(RA2), "r"(RA3), "r"(RB0), "r"(RB1), "r"(RC0), "r"(RC1))

// A 64 × 64 tile: rows of 128 bytes, so that the rows of an 8 × 8 matrix share their banks.
template <int kPad>
__global__ void __launch_bounds__(128) tile_pitch(const half *__restrict__ g, uint32_t *__restrict__ out) {
  __shared__ __align__(16) half tile[64][64 + kPad];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  for (int i = t; i < 64 * 8; i += 128) *reinterpret_cast<uint4 *>(&tile[i / 8][i % 8 * 8]) = *reinterpret_cast<const uint4 *>(&g[i * 8]);
  __syncthreads();
  uint32_t r[4];
  for (int k = 0; k < 4; ++k) {
    uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[warp * 16 + lane % 16][k * 16 + lane / 16 * 8]));
    LDMATRIX_X4(r[0], r[1], r[2], r[3], address);
    out[(k * 128 + t) * 4] = r[0] ^ r[1] ^ r[2] ^ r[3];
  }
}
template __global__ void tile_pitch<0>(const half *, uint32_t *);
template __global__ void tile_pitch<8>(const half *, uint32_t *);

__device__ __forceinline__ int swizzled(int row, int chunk) { return row * 64 + ((chunk ^ (row & 7)) << 3); }

__global__ void __launch_bounds__(128) tile_swizzled(const half *__restrict__ g, uint32_t *__restrict__ out) {
  extern __shared__ half smem[];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  const uint32_t base = __cvta_generic_to_shared(smem);
  for (int i = t; i < 64 * 8; i += 128) CP_ASYNC_CG(base + swizzled(i / 8, i % 8) * sizeof(half), &g[i * 8], 16);
  CP_ASYNC_COMMIT_GROUP();
  CP_ASYNC_WAIT_GROUP(0);
  __syncthreads();
  uint32_t acc[2] = {0, 0};
  for (int k = 0; k < 4; ++k) {
    uint32_t a[4], b[2];
    LDMATRIX_X4(a[0], a[1], a[2], a[3], base + swizzled(warp * 16 + lane % 16, k * 2 + lane / 16) * sizeof(half));
    LDMATRIX_X2_T(b[0], b[1], base + swizzled(k * 16 + lane % 16, warp) * sizeof(half));
    HMMA16816(acc[0], acc[1], a[0], a[1], a[2], a[3], b[0], b[1], acc[0], acc[1]);
  }
  out[t] = acc[0];
}

__global__ void __launch_bounds__(32) tile_wmma(const half *a, const half *b, float *c) {
  __shared__ half as[16 * 16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_frag;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b_frag;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c_frag;
  wmma::fill_fragment(c_frag, 0.0f);
  __pipeline_memcpy_async(&as[threadIdx.x * 8], &a[threadIdx.x * 8], sizeof(uint4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  wmma::load_matrix_sync(a_frag, as, 16);
  wmma::load_matrix_sync(b_frag, b, 16);
  wmma::mma_sync(c_frag, a_frag, b_frag, c_frag);
  wmma::store_matrix_sync(c, c_frag, 16, wmma::mem_row_major);
}
