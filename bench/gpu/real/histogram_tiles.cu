// histogram_tiles of sketches/real. Next to nothing is written: the copy is of half as many elements.
#include "synthesized/histogram_tiles.h"
#include "tiles.h"

// A thread for each element.
template <int kTile, int kBins>
__global__ void naive(const int* __restrict__ x, int* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && (unsigned)x[i] < kBins) atomicAdd(&y[i / kTile * kBins + x[i]], 1);
}

// Counts of the block in shared memory, for each warp its own.
template <int kThreads, int kInputs, int kBins>
__global__ void __launch_bounds__(kThreads) shared_memory(const int* __restrict__ x, int* __restrict__ y, int n) {
  __shared__ int counts[kThreads / 32][kBins];
  const int t = threadIdx.x, first = blockIdx.x * kThreads * kInputs + t;
  for (int k = t; k < kThreads / 32 * kBins; k += kThreads) counts[k / kBins][k % kBins] = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kInputs; k++)
    if (first + k * kThreads < n && (unsigned)x[first + k * kThreads] < kBins)
      atomicAdd(&counts[t / 32][x[first + k * kThreads]], 1);
  __syncthreads();
  if (t >= kBins) return;
  int count = 0;
#pragma unroll
  for (int k = 0; k < kThreads / 32; k++) count += counts[k][t];
  y[blockIdx.x * kBins + t] = count;
}

// Numbers below kBins, and kBins itself, which no bin counts.
template <int kBins>
__global__ void make_small(int* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] = (int)(((unsigned)x[i] >> 8) % (kBins + 1));
}

template <class Synthesized>
int compete() {
  constexpr int n = kTiled, kThreads = Synthesized::kThreads, kInputs = Synthesized::kInputs;
  constexpr int kBins = Synthesized::kBins, kTile = kThreads * kInputs;
  int* const x = swizzle_race::filled<int>(n);
  int* const y = swizzle_race::filled<int>(n / 2);
  make_small<kBins><<<tiles_of(n, 256), 256>>>(x, n);
  const std::vector<int> data = swizzle_race::to_host(x, n);
  const long long outputs = (long long)tiles_of(n, kTile) * kBins;
  const auto clear = [=] { swizzle_race::check(cudaMemset(y, 0, outputs * sizeof(int))); };
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, outputs,
      {{"naive", [=] { naive<kTile, kBins><<<tiles_of(n, 256), 256>>>(x, y, n); }, clear},
       {"shared memory", [=] { shared_memory<kThreads, kInputs, kBins><<<tiles_of(n, kTile), kThreads>>>(x, y, n); }},
       {"synthesized", [=] { Synthesized::launch(x, y, n); }}},
      [&](long long at) {
        int count = 0;
        for (long long i = at / kBins * kTile; i < (at / kBins + 1) * kTile && i < n; i++)
          count += data[i] == at % kBins;
        return count;
      },
      n / 2);
  for (int* buffer : {x, y}) swizzle_race::check(cudaFree(buffer));
  return wrong;
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
