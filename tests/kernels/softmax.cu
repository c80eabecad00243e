// Softmax of a row by a block: warp shuffles, one word of shared memory for each warp, 128-bit loads.
#include <cfloat>
#include <cuda_fp16.h>

template <typename T>
struct MaxOp {
  __device__ __forceinline__ T operator()(T const &x, T const &y) { return x > y ? x : y; }
};
template <typename T>
struct SumOp {
  __device__ __forceinline__ T operator()(T const &x, T const &y) { return x + y; }
};

template <template <typename> class Op, typename T>
__inline__ __device__ T warp_all_reduce(T val) {
  for (int mask = 16; mask > 0; mask /= 2) val = Op<T>()(val, __shfl_xor_sync(0xffffffff, val, mask));
  return val;
}

template <template <typename> class Op, int kBlockSize>
__inline__ __device__ float block_all_reduce(float val, float *shared) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  val = warp_all_reduce<Op>(val);
  if (lane == 0) shared[warp] = val;
  __syncthreads();
  val = lane < kBlockSize / 32 ? shared[lane] : 0.0f;
  val = warp_all_reduce<Op>(val);
  __syncthreads();
  return val;
}

template <int kBlockSize>
__global__ void softmax_block(const float *__restrict__ x, half *__restrict__ y, int cols) {
  extern __shared__ __align__(sizeof(double)) unsigned char shared_buf[];
  auto *buf = reinterpret_cast<float *>(shared_buf);
  __shared__ float warp_values[kBlockSize / 32];
  const int row = blockIdx.x, tid = threadIdx.x;
  const int packs = cols / 4;
  const float4 *row_x = reinterpret_cast<const float4 *>(x + row * cols);
  float thread_max = -FLT_MAX;
  for (int p = tid; p < packs; p += kBlockSize) {
    float pack[4];
    *reinterpret_cast<float4 *>(pack) = row_x[p];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      buf[j * packs + p] = pack[j];
      thread_max = max(thread_max, pack[j]);
    }
  }
  const float row_max = block_all_reduce<MaxOp, kBlockSize>(thread_max, warp_values);
  float thread_sum = 0;
  for (int col = tid; col < cols; col += kBlockSize) {
    const float e = __expf(buf[col] - row_max);
    buf[col] = e;
    thread_sum += e;
  }
  const float row_sum = block_all_reduce<SumOp, kBlockSize>(thread_sum, warp_values);
  half2 *row_y = reinterpret_cast<half2 *>(y + row * cols);
  for (int p = tid; p < cols / 2; p += kBlockSize) row_y[p] = __floats2half2_rn(buf[2 * p] / row_sum, buf[2 * p + 1] / row_sum);
}

inline void launch_softmax(const float *x, half *y, int rows, cudaStream_t stream) {
  constexpr int kBlock = 128;
  const int cols = 1024;
  softmax_block<kBlock><<<rows, kBlock, cols * sizeof(float), stream>>>(x, y, cols);
}
