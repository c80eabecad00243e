// structs_scatter of sketches/real.
#include "structs_indexed.h"

template <int F>
__global__ void naive(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int to = index[i];
#pragma unroll
  for (int j = 0; j < F; j++) y[F * to + j] = x[j * n + i];
}

template <int F>
__global__ void vectors(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float r[F];
#pragma unroll
  for (int j = 0; j < F; j++) r[j] = x[j * n + i];
  write_struct(y, index[i], r);
}

// A warp's structs pass through its part of shared memory; lanes side by side write one struct.
template <int F, int kThreads>
__global__ void shared_memory(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y,
                              int n) {
  constexpr int kPitch = F + 1 - F % 2;
  __shared__ float tile[kThreads * kPitch];
  __shared__ int to[kThreads];
  const int lane = threadIdx.x % 32, warp = threadIdx.x - lane, i = blockIdx.x * kThreads + threadIdx.x;
  float* const mine = tile + warp * kPitch;
  to[threadIdx.x] = i < n ? index[i] : -1;
  if (i < n) {
#pragma unroll
    for (int j = 0; j < F; j++) mine[lane * kPitch + j] = x[j * n + i];
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < F; j++) {
    const int at = 32 * j + lane, place = to[warp + at / F];
    if (place >= 0) y[F * place + at % F] = mine[at / F * kPitch + at % F];
  }
}

#ifdef SWIZZLE_HAS_TROVE
template <int F>
__global__ void by_trove(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  Fields<F> r;
#pragma unroll
  for (int j = 0; j < F; j++) r.field[j] = x[j * n + i];
  trove::coalesced_ptr<Fields<F>>(reinterpret_cast<Fields<F>*>(y))[index[i]] = r;
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
        return data[i % fields * n + places.inverse[i / fields]];
      });
}

#include "synthesized/structs_scatter.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
