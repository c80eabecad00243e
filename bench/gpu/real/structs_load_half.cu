// structs_load_half of sketches/real.
#include "structs_half.h"
#include "synthesized/structs_load_half.h"

template <int F>
__global__ void naive(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[j * n + i] = x[F * i + j];
}

// By words: a block's structs pass through shared memory, and a thread writes two of them at once.
template <int F>
__global__ void __launch_bounds__(256)
    shared_memory(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int n) {
  __shared__ unsigned words[128 * F];
  const int first = blockIdx.x * 256, count = min(256, n - first);
#pragma unroll
  for (int k = threadIdx.x; k < 128 * F; k += 256)
    if (2 * k < count * F) words[k] = reinterpret_cast<const unsigned*>(x)[first / 2 * F + k];
  __syncthreads();
  const unsigned short* const tile = reinterpret_cast<const unsigned short*>(words);
#pragma unroll
  for (int k = threadIdx.x; k < 128 * F; k += 256) {
    const int j = k / 128, i = k % 128 * 2;
    if (i < count)
      reinterpret_cast<unsigned*>(y)[(j * n + first + i) / 2] = tile[F * i + j] | (unsigned)tile[F * (i + 1) + j] << 16;
  }
}

template <class Synthesized>
int compete() {
  constexpr int F = Synthesized::kFields;
  return compete_with<Synthesized>(naive<F>, shared_memory<F>,
                                   [](long long i, int fields, int n) { return i % n * fields + i / n; });
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
