// reduce_tiles of sketches/real. Next to nothing is written: the copy is of half as many elements.
#include "synthesized/reduce_tiles.h"
#include "tiles.h"

// A thread for each tile.
template <int kTile>
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int tile = blockIdx.x * 256 + threadIdx.x;
  if (tile * kTile >= n) return;
  float sum = 0;
  for (int i = tile * kTile; i < tile * kTile + kTile && i < n; i++) sum += x[i];
  y[tile] = sum;
}

template <int kThreads, int kInputs>
__device__ float own_sum(const float* x, int n) {
  const int first = blockIdx.x * kThreads * kInputs + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kInputs; k++)
    if (first + k * kThreads < n) sum += x[first + k * kThreads];
  return sum;
}

// A tree in shared memory.
template <int kThreads, int kInputs>
__global__ void __launch_bounds__(kThreads) shared_memory(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float sums[kThreads];
  const int t = threadIdx.x;
  sums[t] = own_sum<kThreads, kInputs>(x, n);
#pragma unroll
  for (int d = kThreads / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) sums[t] += sums[t + d];
  }
  if (t == 0) y[blockIdx.x] = sums[0];
}

template <int kThreads, int kInputs>
__global__ void __launch_bounds__(kThreads) by_cub(const float* __restrict__ x, float* __restrict__ y, int n) {
  using Load = cub::BlockLoad<float, kThreads, kInputs, cub::BLOCK_LOAD_VECTORIZE>;
  using Reduce = cub::BlockReduce<float, kThreads>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Reduce::TempStorage reduce;
  } storage;
  const int first = blockIdx.x * kThreads * kInputs;
  float r[kInputs];
  if (first + kThreads * kInputs <= n) {
    Load(storage.load).Load(x + first, r);
  } else {
    Load(storage.load).Load(x + first, r, n - first, 0.f);
  }
  const float sum = Reduce(storage.reduce).Sum(r);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

template <class Synthesized>
int compete() {
  constexpr int n = kTiled, kThreads = Synthesized::kThreads, kInputs = Synthesized::kInputs;
  constexpr int kTile = kThreads * kInputs;
  float* const x = swizzle_race::filled<float>(n);
  float* const y = swizzle_race::filled<float>(n / 2);
  const std::vector<float> data = swizzle_race::to_host(x, n);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, tiles_of(n, kTile),
      {{"naive", [=] { naive<kTile><<<tiles_of(n, kTile * 256), 256>>>(x, y, n); }},
       {"shared memory", [=] { shared_memory<kThreads, kInputs><<<tiles_of(n, kTile), kThreads>>>(x, y, n); }},
       {"CUB", [=] { by_cub<kThreads, kInputs><<<tiles_of(n, kTile), kThreads>>>(x, y, n); }},
       {"synthesized", [=] { Synthesized::launch(x, y, n); }}},
      [&](long long tile) {
        double sum = 0;
        for (long long i = tile * kTile; i < (tile + 1) * kTile && i < n; i++) sum += data[i];
        return (float)sum;
      },
      n / 2);
  for (float* buffer : {x, y}) swizzle_race::check(cudaFree(buffer));
  return wrong;
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
