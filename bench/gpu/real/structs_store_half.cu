// structs_store_half of sketches/real.
#include "structs_half.h"
#include "synthesized/structs_store_half.h"

template <int F>
__global__ void naive(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < F; j++) y[F * i + j] = x[j * n + i];
}

// By words: a thread reads two structs at once; a block's structs pass through shared memory.
template <int F>
__global__ void __launch_bounds__(256)
    shared_memory(const unsigned short* __restrict__ x, unsigned short* __restrict__ y, int n) {
  __shared__ unsigned words[128 * F];
  const int first = blockIdx.x * 256, count = min(256, n - first);
  unsigned short* const tile = reinterpret_cast<unsigned short*>(words);
#pragma unroll
  for (int k = threadIdx.x; k < 128 * F; k += 256) {
    const int j = k / 128, i = k % 128 * 2;
    if (i >= count) continue;
    const unsigned pair = reinterpret_cast<const unsigned*>(x)[(j * n + first + i) / 2];
    tile[F * i + j] = (unsigned short)pair, tile[F * (i + 1) + j] = (unsigned short)(pair >> 16);
  }
  __syncthreads();
#pragma unroll
  for (int k = threadIdx.x; k < 128 * F; k += 256)
    if (2 * k < count * F) reinterpret_cast<unsigned*>(y)[first / 2 * F + k] = words[k];
}

template <class Synthesized>
int compete() {
  constexpr int F = Synthesized::kFields;
  return compete_with<Synthesized>(naive<F>, shared_memory<F>,
                                   [](long long i, int fields, int n) { return i % fields * n + i / fields; });
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
