// product of sketches/real: n products of polynomials over GF(2) of D coefficients, one coefficient of 32 products a word.
// The operands lie one after the other in one buffer.
#include "race.h"
#include "synthesized/product.h"

namespace {

constexpr int kWords = 1 << 26;  // of both operands, less three products

template <int D>
__global__ void naive(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c, int n) {
  const int at = blockIdx.x * 256 + threadIdx.x, p = at / (2 * D), i = at % (2 * D);
  if (p >= n) return;
  unsigned sum = 0;
  for (int k = i < D ? 0 : i - D + 1; k <= i && k < D; k++) sum ^= a[D * p + k] & b[D * p + i - k];
  c[at] = sum;
}

// Both operands in shared memory; zeros around b, so that every thread does the same D steps.
template <int D>
__global__ void shared_memory(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c,
                              int n) {
  constexpr int kSlots = 256 / (2 * D);
  __shared__ unsigned sa[kSlots][D], sb[kSlots][3 * D];
  const int slot = threadIdx.x / (2 * D), p = blockIdx.x * kSlots + slot, i = threadIdx.x % (2 * D);
  if (p < n && i < D) sa[slot][i] = a[D * p + i];
  sb[slot][i] = 0;
  if (i < D) sb[slot][2 * D + i] = 0;
  __syncthreads();
  if (p < n && i < D) sb[slot][D + i] = b[D * p + i];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < D; k++) sum ^= sa[slot][k] & sb[slot][D + i - k];
  if (p < n) c[2 * D * p + i] = sum;
}

// A register cache: a warp a product, D / 32 coefficients of each operand a lane.
template <int D>
__global__ void register_cache(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c,
                               int n) {
  constexpr int R = D / 32;
  const int lane = threadIdx.x % 32, p = (blockIdx.x * 256 + threadIdx.x) / 32;
  if (p >= n) return;
  unsigned rA[R], rB[R], sum[2 * R] = {};
#pragma unroll
  for (int j = 0; j < R; j++) rA[j] = a[D * p + 32 * j + lane], rB[j] = b[D * p + 32 * j + lane];
#pragma unroll
  for (int k = 0; k < 32; k++) {
    unsigned one[R], other[R];
#pragma unroll
    for (int j = 0; j < R; j++) one[j] = __shfl_sync(~0u, rA[j], k), other[j] = __shfl_sync(~0u, rB[j], (lane - k) & 31);
    if (k <= lane) {
#pragma unroll
      for (int j = 0; j < R * R; j++) sum[j / R + j % R] ^= one[j / R] & other[j % R];
    } else {
#pragma unroll
      for (int j = 0; j < R * R; j++) sum[j / R + j % R + 1] ^= one[j / R] & other[j % R];
    }
  }
#pragma unroll
  for (int j = 0; j < 2 * R; j++) c[2 * D * p + 32 * j + lane] = sum[j];
}

template <class Synthesized>
int compete() {
  constexpr int D = Synthesized::kDegree, n = kWords / D - 3;
  unsigned* const a = swizzle_race::filled<unsigned>(2 * D * n);
  unsigned* const c = swizzle_race::filled<unsigned>(2 * D * n);
  const unsigned* const b = a + D * n;
  const std::vector<unsigned> data = swizzle_race::to_host(a, 2 * D * n);
  const int wrong = swizzle_race::race(
      Synthesized::kName, a, c, 2 * D * n,
      {{"naive", [=] { naive<D><<<(2 * D * n + 255) / 256, 256>>>(a, b, c, n); }},
       {"shared memory", [=] { shared_memory<D><<<(2 * D * n + 255) / 256, 256>>>(a, b, c, n); }},
       {"register cache", [=] { register_cache<D><<<(n + 7) / 8, 256>>>(a, b, c, n); }},
       {"synthesized", [=] { Synthesized::launch(a, b, c, n); }}},
      [&](long long at) {
        const long long p = at / (2 * D);
        const int i = (int)(at % (2 * D));
        unsigned sum = 0;
        for (int k = i < D ? 0 : i - D + 1; k <= i && k < D; k++) sum ^= data[D * p + k] & data[(long long)D * n + D * p + i - k];
        return sum;
      });
  swizzle_race::check(cudaFree(a));
  swizzle_race::check(cudaFree(c));
  return wrong;
}

}  // namespace

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
