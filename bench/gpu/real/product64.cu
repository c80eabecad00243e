// product64 of sketches/real: n products of polynomials over GF(2) of 64 coefficients, one coefficient of 32 products a
// word. The operands lie one after the other in one buffer.
#include "race.h"
#include "synthesized/product64.h"

namespace {

constexpr int kProducts = (1 << 20) - 3;

__global__ void naive(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c, int n) {
  const int p = blockIdx.x * 2 + threadIdx.x / 128, i = threadIdx.x % 128;
  if (p >= n) return;
  unsigned sum = 0;
  for (int k = i < 64 ? 0 : i - 63; k <= i && k < 64; k++) sum ^= a[64 * p + k] & b[64 * p + i - k];
  c[128 * p + i] = sum;
}

// Both operands in shared memory; zeros around b, so that every thread does the same 64 steps.
__global__ void shared_memory(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c,
                              int n) {
  __shared__ unsigned sa[2][64], sb[2][192];
  const int slot = threadIdx.x / 128, p = blockIdx.x * 2 + slot, i = threadIdx.x % 128;
  if (p < n && i < 64) sa[slot][i] = a[64 * p + i];
  sb[slot][i] = 0;
  if (i < 64) sb[slot][128 + i] = 0;
  __syncthreads();
  if (p < n && i < 64) sb[slot][64 + i] = b[64 * p + i];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < 64; k++) sum ^= sa[slot][k] & sb[slot][64 + i - k];
  if (p < n) c[128 * p + i] = sum;
}

// A register cache: a warp a product, two coefficients of each operand a lane, eight accumulates a step.
__global__ void register_cache(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ c,
                               int n) {
  const int lane = threadIdx.x % 32, p = (blockIdx.x * 256 + threadIdx.x) / 32;
  if (p >= n) return;
  const unsigned rA0 = a[64 * p + lane], rA1 = a[64 * p + 32 + lane], rB0 = b[64 * p + lane], rB1 = b[64 * p + 32 + lane];
  unsigned c0 = 0, c1 = 0, c2 = 0, c3 = 0;
#pragma unroll
  for (int k = 0; k < 32; k++) {
    const unsigned a0 = __shfl_sync(~0u, rA0, k), a1 = __shfl_sync(~0u, rA1, k);
    const unsigned b0 = __shfl_sync(~0u, rB0, (lane - k) & 31), b1 = __shfl_sync(~0u, rB1, (lane - k) & 31);
    if (k <= lane) {
      c0 ^= a0 & b0, c1 ^= a0 & b1, c1 ^= a1 & b0, c2 ^= a1 & b1;
    } else {
      c1 ^= a0 & b0, c2 ^= a0 & b1, c2 ^= a1 & b0, c3 ^= a1 & b1;
    }
  }
  c[128 * p + lane] = c0, c[128 * p + 32 + lane] = c1, c[128 * p + 64 + lane] = c2, c[128 * p + 96 + lane] = c3;
}

template <class Synthesized>
int compete() {
  constexpr int n = kProducts;
  unsigned* const a = swizzle_race::filled<unsigned>(128 * n);
  unsigned* const c = swizzle_race::filled<unsigned>(128 * n);
  const unsigned* const b = a + 64 * n;
  const std::vector<unsigned> data = swizzle_race::to_host(a, 128 * n);
  const int wrong = swizzle_race::race(
      Synthesized::kName, a, c, 128 * n,
      {{"naive", [=] { naive<<<(n + 1) / 2, 256>>>(a, b, c, n); }},
       {"shared memory", [=] { shared_memory<<<(n + 1) / 2, 256>>>(a, b, c, n); }},
       {"register cache", [=] { register_cache<<<(n + 7) / 8, 256>>>(a, b, c, n); }},
       {"synthesized", [=] { Synthesized::launch(a, b, c, n); }}},
      [&](long long at) {
        const long long p = at / 128;
        const int i = (int)(at % 128);
        unsigned sum = 0;
        for (int k = i < 64 ? 0 : i - 63; k <= i && k < 64; k++)
          sum ^= data[64 * p + k] & data[64ll * n + 64 * p + i - k];
        return sum;
      });
  swizzle_race::check(cudaFree(a));
  swizzle_race::check(cudaFree(c));
  return wrong;
}

}  // namespace

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
