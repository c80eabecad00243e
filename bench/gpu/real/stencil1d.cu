// stencil1d of sketches/real: y[i] = x[i] + … + x[i + P - 1] for i < n.
#include "race.h"
#include "synthesized/stencil1d.h"

namespace {

constexpr int kOutputs = (1 << 27) - 5;

template <int P>
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float out = 0;
  for (int k = 0; k < P; k++) out += x[i + k];
  y[i] = out;
}

// 1024 outputs a block of 256 threads.
template <int P>
__global__ void shared_memory(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float tile[1024 + P - 1];
  const int first = blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024 + P - 1; i += 256)
    if (first + i < n + P - 1) tile[i] = x[first + i];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; j++) {
    const int i = j * 256 + threadIdx.x;
    float out = 0;
#pragma unroll
    for (int k = 0; k < P; k++) out += tile[i + k];
    if (first + i < n) y[first + i] = out;
  }
}

// A register cache as papers have it: one output a lane, two registers that 32 lanes share.
template <int P>
__global__ void register_cache(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = i < n + P - 1 ? x[i] : 0, next = lane < P - 1 && i + 32 < n + P - 1 ? x[i + 32] : 0;
  float out = own;
#pragma unroll
  for (int k = 1; k < P; k++) out += __shfl_sync(0xffffffffu, lane < k ? next : own, (lane + k) & 31);
  if (i < n) y[i] = out;
}

// Four outputs a thread, whose windows each thread loads for itself, by float4.
template <int P>
__global__ void float4_loads(const float* __restrict__ x, float* __restrict__ y, int n) {
  constexpr int kQuads = (P + 6) / 4;
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float window[4 * kQuads], out[4] = {};
  if (i + 4 * kQuads <= n + P - 1) {
#pragma unroll
    for (int q = 0; q < kQuads; q++) {
      const float4 v = *reinterpret_cast<const float4*>(&x[i + 4 * q]);
      window[4 * q] = v.x, window[4 * q + 1] = v.y, window[4 * q + 2] = v.z, window[4 * q + 3] = v.w;
    }
  } else {
#pragma unroll
    for (int e = 0; e < 4 * kQuads; e++) window[e] = i + e < n + P - 1 ? x[i + e] : 0;
  }
#pragma unroll
  for (int k = 0; k < P; k++)
#pragma unroll
    for (int j = 0; j < 4; j++) out[j] += window[j + k];
  if (i + 3 < n) {
    *reinterpret_cast<float4*>(&y[i]) = make_float4(out[0], out[1], out[2], out[3]);
  } else {
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (i + j < n) y[i + j] = out[j];
  }
}

template <class Synthesized>
int compete() {
  constexpr int P = Synthesized::kPoints, n = kOutputs;
  float* const x = swizzle_race::filled<float>(n + P - 1);
  float* const y = swizzle_race::filled<float>(n);
  const std::vector<float> data = swizzle_race::to_host(x, n + P - 1);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, n,
      {{"naive", [=] { naive<P><<<(n + 255) / 256, 256>>>(x, y, n); }},
       {"shared memory", [=] { shared_memory<P><<<(n + 1023) / 1024, 256>>>(x, y, n); }},
       {"register cache", [=] { register_cache<P><<<(n + 255) / 256, 256>>>(x, y, n); }},
       {"float4 loads", [=] { float4_loads<P><<<(n + 1023) / 1024, 256>>>(x, y, n); }},
       {"synthesized", [=] { Synthesized::launch(x, y, n); }}},
      [&](long long i) {
        double out = 0;
        for (int k = 0; k < P; k++) out += data[i + k];
        return (float)out;
      });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}

}  // namespace

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
