// scan_tiles of sketches/real.
#include "synthesized/scan_tiles.h"
#include "tiles.h"

// A thread for each tile.
template <int kTile>
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int first = (blockIdx.x * 256 + threadIdx.x) * kTile;
  float sum = 0;
  for (int i = first; i < first + kTile && i < n; i++) y[i] = sum += x[i];
}

// An element a thread and step (Hillis and Steele 1986).
template <int kTile>
__global__ void __launch_bounds__(kTile) shared_memory(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float sums[2][kTile];
  const int t = threadIdx.x, i = blockIdx.x * kTile + t;
  sums[0][t] = i < n ? x[i] : 0;
  int from = 0;
#pragma unroll
  for (int d = 1; d < kTile; d *= 2, from ^= 1) {
    __syncthreads();
    sums[from ^ 1][t] = sums[from][t] + (t >= d ? sums[from][t - d] : 0);
  }
  if (i < n) y[i] = sums[from][t];
}

template <int kThreads, int kOutputs>
__global__ void __launch_bounds__(kThreads) by_cub(const float* __restrict__ x, float* __restrict__ y, int n) {
  using Load = cub::BlockLoad<float, kThreads, kOutputs, cub::BLOCK_LOAD_VECTORIZE>;
  using Scan = cub::BlockScan<float, kThreads>;
  using Store = cub::BlockStore<float, kThreads, kOutputs, cub::BLOCK_STORE_VECTORIZE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Store::TempStorage store;
  } storage;
  const int first = blockIdx.x * kThreads * kOutputs;
  float r[kOutputs];
  if (first + kThreads * kOutputs <= n) {
    Load(storage.load).Load(x + first, r);
    Scan(storage.scan).InclusiveSum(r, r);
    Store(storage.store).Store(y + first, r);
  } else {
    Load(storage.load).Load(x + first, r, n - first, 0.f);
    Scan(storage.scan).InclusiveSum(r, r);
    Store(storage.store).Store(y + first, r, n - first);
  }
}

template <class Synthesized>
int compete() {
  constexpr int n = kTiled, kThreads = Synthesized::kThreads, kOutputs = Synthesized::kOutputs;
  constexpr int kTile = kThreads * kOutputs;
  float* const x = swizzle_race::filled<float>(n);
  float* const y = swizzle_race::filled<float>(n);
  const std::vector<float> data = swizzle_race::to_host(x, n);
  std::vector<float> sums(n);
  double sum = 0;
  for (int i = 0; i < n; i++) sums[i] = (float)(sum = data[i] + (i % kTile == 0 ? 0 : sum));
  const int wrong =
      swizzle_race::race(Synthesized::kName, x, y, n,
                         {{"naive", [=] { naive<kTile><<<tiles_of(n, kTile * 256), 256>>>(x, y, n); }},
                          {"shared memory", [=] { shared_memory<kTile><<<tiles_of(n, kTile), kTile>>>(x, y, n); }},
                          {"CUB", [=] { by_cub<kThreads, kOutputs><<<tiles_of(n, kTile), kThreads>>>(x, y, n); }},
                          {"synthesized", [=] { Synthesized::launch(x, y, n); }}},
                         [&](long long i) { return sums[i]; });
  for (float* buffer : {x, y}) swizzle_race::check(cudaFree(buffer));
  return wrong;
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
