// structs_gather of sketches/real.
#include "structs_indexed.h"

template <int F>
__global__ void naive(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int from = index[i];
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = x[F * from + j];
}

template <int F>
__global__ void vectors(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float r[F];
  read_struct(x, index[i], r);
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = r[j];
}

// Lanes side by side read one struct; a warp's structs pass through its part of shared memory.
template <int F, int kThreads>
__global__ void shared_memory(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y,
                              int n) {
  constexpr int kPitch = F + 1 - F % 2;
  __shared__ float tile[kThreads * kPitch];
  __shared__ int from[kThreads];
  const int lane = threadIdx.x % 32, warp = threadIdx.x - lane, i = blockIdx.x * kThreads + threadIdx.x;
  float* const mine = tile + warp * kPitch;
  from[threadIdx.x] = i < n ? index[i] : 0;
  __syncwarp();
#pragma unroll
  for (int j = 0; j < F; j++) {
    const int at = 32 * j + lane;
    mine[at / F * kPitch + at % F] = x[F * from[warp + at / F] + at % F];
  }
  __syncwarp();
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = mine[lane * kPitch + j];
}

#ifdef SWIZZLE_HAS_TROVE
template <int F>
__global__ void by_trove(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const Fields<F> r = trove::coalesced_ptr<const Fields<F>>(reinterpret_cast<const Fields<F>*>(x))[index[i]];
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = r.field[j];
}
#else
template <int F>
constexpr void (*by_trove)(const float*, const int*, float*, int) = nullptr;
#endif

template <class Synthesized>
int compete() {
  constexpr int F = Synthesized::kFields;
  return compete_with<Synthesized>(
      IndexedPeers{naive<F>, vectors<F>, shared_memory<F, threads_of_shared_memory(F)>, by_trove<F>},
      [](const std::vector<float>& data, const Places& places, long long i, int fields, int n) {
        return data[(long long)places.index[i % n] * fields + i / n];
      });
}

#include "synthesized/structs_gather.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
