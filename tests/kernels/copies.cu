// Copies to shared memory that a thread waits for: by cuda::memcpy_async, by a group, by inline PTX; and tiles of a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// 4 warps: 4 copies of 16 bytes a lane, 4 wavefronts each; loads of a column, 32 ways.
__global__ void ofThreads(const float* x, float* y) {
  __shared__ __align__(16) float tile[4][512];
  auto block = cg::this_thread_block();
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  for (int k = 0; k < 4; k++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[k][4 * threadIdx.x], &x[512 * k + 4 * threadIdx.x], cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  block.sync();
  y[threadIdx.x] = tile[0][threadIdx.x * 32 % 512];
}

// 512 words by 128 threads: 4 rounds of 4 bytes a lane.
__global__ void ofAGroup(const float* x, float* y) {
  __shared__ float tile[512];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x, sizeof(float) * 512);
  cg::wait(block);
  y[threadIdx.x] = tile[threadIdx.x];
}

// Two-stage pipeline of the block, whose state is in shared memory.
__global__ void ofABlock(const int* x, int* y) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int staged[2 * 128];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int k = 0; k < 2; k++) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, staged + 128 * k, x + 128 * k, sizeof(int) * 128, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    y[128 * k + block.thread_rank()] = staged[128 * k + block.thread_rank()];
    pipe.consumer_release();
  }
}

// What a tile says about its lanes decides an address.
__global__ void ofTiles(const int* x, int* y) {
  __shared__ int tile[1024];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto part = cg::tiled_partition<8>(warp);
  const int first = part.shfl((int)threadIdx.x, 0), odd = __popc(part.ballot(threadIdx.x & 1));
  const int most = __reduce_max_sync(0xffffffffu, (int)(threadIdx.x % 32));
  tile[first + odd * part.thread_rank()] = x[threadIdx.x];
  warp.sync();
  y[threadIdx.x] = tile[threadIdx.x * most % 1024];
}

void launch(const float* x, float* y, const int* a, int* b) {
  ofThreads<<<1, 128>>>(x, y);
  ofAGroup<<<1, 128>>>(x, y);
  ofABlock<<<1, 128>>>(a, b);
  ofTiles<<<1, 32>>>(a, b);
}
