// Sums of a block: interleaved and sequential addressing, then warp shuffles and cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// Strides 1, 2, 4, … of active threads: conflicts.
__global__ void reduce_interleaved(const float *g_idata, float *g_odata, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    int index = 2 * s * tid;
    if (index < blockDim.x) {
      sdata[index] += sdata[index + s];
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

__global__ void reduce_sequential(const float *g_idata, float *g_odata, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      sdata[tid] += sdata[tid + s];
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

template <unsigned int blockSize>
__global__ void reduce_cg(const float *g_idata, float *g_odata, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ float partial[blockSize / 32];
  float mySum = 0;
  for (unsigned int i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x) mySum += g_idata[i];
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  mySum = cg::reduce(tile32, mySum, cg::plus<float>());
  if (tile32.thread_rank() == 0) partial[tile32.meta_group_rank()] = mySum;
  cg::sync(cta);
  if (cta.thread_rank() < blockSize / 32) mySum = warp_sum(partial[cta.thread_rank()]);
  if (cta.thread_rank() == 0) g_odata[blockIdx.x] = mySum;
}

void launch(const float *in, float *out, int n) {
  const int threads = 256;
  const int smem = threads * sizeof(float);
  reduce_interleaved<<<16, threads, smem>>>(in, out, 4096);
  reduce_sequential<<<16, threads, smem>>>(in, out, 4096);
  reduce_cg<256><<<16, threads>>>(in, out, 4096);
}
