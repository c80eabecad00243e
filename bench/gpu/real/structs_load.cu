// structs_load of sketches/real: n structs of F floats become F arrays of n.
#include "structs.h"
#include "synthesized/structs_load.h"

namespace {

template <int F>
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = x[F * i + j];
}

template <int F>
__global__ void vectors(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float r[F];
  read_struct(x, i, r);
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = r[j];
}

// A warp's structs pass through its part of shared memory; padded where the stride of the fields is even.
template <int F, int kThreads>
__global__ void shared_memory(const float* __restrict__ x, float* __restrict__ y, int n) {
  constexpr int kPitch = F + 1 - F % 2;
  __shared__ float tile[kThreads * kPitch];
  const int lane = threadIdx.x % 32, i = blockIdx.x * kThreads + threadIdx.x, first = F * (i - lane);
  float* const mine = tile + (threadIdx.x - lane) * kPitch;
#pragma unroll
  for (int j = 0; j < F; j++) {
    const int at = 32 * j + lane;
    if (first + at < F * n) mine[at / F * kPitch + at % F] = x[first + at];
  }
  __syncwarp();
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = mine[lane * kPitch + j];
}

template <class Synthesized>
int compete() {
  constexpr int F = Synthesized::kFields;
  return compete_with<Synthesized>({naive<F>, vectors<F>, shared_memory<F, threads_of_shared_memory(F)>},
                                   [](long long i, int fields, int n) { return i % n * fields + i / n; });
}

}  // namespace

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
