// Blocks of CUB's, as kernels use them. Where the toolkit has CUB, its headers are read.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>

constexpr int kThreads = 128, kItems = 8;

template <cub::BlockReduceAlgorithm Algorithm>
__global__ void sums(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, kThreads, Algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  const float sum = Reduce(storage).Sum(x[blockIdx.x * kThreads + threadIdx.x]);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

template <cub::BlockScanAlgorithm Algorithm>
__global__ void running_sums(const int* x, int* y) {
  using Scan = cub::BlockScan<int, kThreads, Algorithm>;
  __shared__ typename Scan::TempStorage storage;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  int before;
  Scan(storage).ExclusiveSum(x[i], before);
  y[i] = before;
}

template <cub::BlockLoadAlgorithm How, cub::BlockStoreAlgorithm Back>
__global__ void copy(const float* x, float* y) {
  using Load = cub::BlockLoad<float, kThreads, kItems, How>;
  using Store = cub::BlockStore<float, kThreads, kItems, Back>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  float items[kItems];
  Load(storage.load).Load(x + blockIdx.x * kThreads * kItems, items);
  __syncthreads();
  for (float& item : items) item *= 2;
  Store(storage.store).Store(y + blockIdx.x * kThreads * kItems, items);
}

__global__ void striped(const int* x, int* y) {
  using Exchange = cub::BlockExchange<int, kThreads, 5>;
  __shared__ typename Exchange::TempStorage storage;
  int items[5];
  for (int j = 0; j < 5; ++j) items[j] = x[(blockIdx.x * kThreads + threadIdx.x) * 5 + j];
  Exchange(storage).BlockedToStriped(items, items);
  for (int j = 0; j < 5; ++j) y[(blockIdx.x * 5 + j) * kThreads + threadIdx.x] = items[j];
}

// Of sixteen lanes each.
__global__ void sums_of_halves(const float* x, float* y) {
  using Reduce = cub::WarpReduce<float, 16>;
  __shared__ typename Reduce::TempStorage storage[kThreads / 16];
  const float sum = Reduce(storage[threadIdx.x / 16]).Sum(x[blockIdx.x * kThreads + threadIdx.x]);
  if (threadIdx.x % 16 == 0) y[(blockIdx.x * kThreads + threadIdx.x) / 16] = sum;
}

int main() {
  constexpr int kBlocks = 4, kBytes = kBlocks * kThreads * kItems * 4;
  float *x, *y;
  cudaMalloc(&x, kBytes);
  cudaMalloc(&y, kBytes);
  cudaMemset(x, 0, kBytes);
  int *i = (int*)x, *j = (int*)y;
  sums<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<kBlocks, kThreads>>>(x, y);
  sums<cub::BLOCK_REDUCE_RAKING><<<kBlocks, kThreads>>>(x, y);
  running_sums<cub::BLOCK_SCAN_RAKING><<<kBlocks, kThreads>>>(i, j);
  running_sums<cub::BLOCK_SCAN_WARP_SCANS><<<kBlocks, kThreads>>>(i, j);
  copy<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE><<<kBlocks, kThreads>>>(x, y);
  copy<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE><<<kBlocks, kThreads>>>(x, y);
  striped<<<kBlocks, kThreads>>>(i, j);
  sums_of_halves<<<kBlocks, kThreads>>>(x, y);
  return cudaDeviceSynchronize() != cudaSuccess;
}
