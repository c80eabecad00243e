// conv2d_separable of sketches/real: K weights across and K down, zeros around an image of h rows of w.
#include "race.h"
#include "synthesized/conv2d_separable.h"

namespace {

constexpr int kWidth = 16380, kHeight = 8189;

__device__ float pixel(const float* x, int w, int h, int r, int c) {
  return r >= 0 && r < h && c >= 0 && c < w ? x[r * w + c] : 0;
}

template <int K>
__global__ void naive(const float* __restrict__ x, const float* __restrict__ across, const float* __restrict__ down,
                      float* __restrict__ y, int w, int h) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r >= h || c >= w) return;
  float out = 0;
#pragma unroll
  for (int ky = 0; ky < K; ky++) {
    float sum = 0;
#pragma unroll
    for (int kx = 0; kx < K; kx++) sum += across[kx] * pixel(x, w, h, r + ky - K / 2, c + kx - K / 2);
    out += down[ky] * sum;
  }
  y[r * w + c] = out;
}

// 32 x 32 outputs a block of 32 x 8 threads: rows' sums through shared memory, too.
template <int K>
__global__ void shared_memory(const float* __restrict__ x, const float* __restrict__ across, const float* __restrict__ down,
                              float* __restrict__ y, int w, int h) {
  constexpr int kSide = 32 + K - 1;
  __shared__ float tile[kSide][kSide], sums[kSide][32];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < kSide * kSide; i += 256)
    tile[i / kSide][i % kSide] = pixel(x, w, h, top + i / kSide - K / 2, left + i % kSide - K / 2);
  __syncthreads();
  for (int r = threadIdx.y; r < kSide; r += 8) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < K; k++) sum += across[k] * tile[r][threadIdx.x + k];
    sums[r][threadIdx.x] = sum;
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; j++) {
    const int r = threadIdx.y * 4 + j;
    float out = 0;
#pragma unroll
    for (int k = 0; k < K; k++) out += down[k] * sums[r + k][threadIdx.x];
    if (top + r < h && left + threadIdx.x < w) y[(top + r) * w + left + threadIdx.x] = out;
  }
}

template <class Synthesized>
int compete() {
  constexpr int K = Synthesized::kSize, w = kWidth, h = kHeight;
  float* const x = swizzle_race::filled<float>(w * h);
  float* const y = swizzle_race::filled<float>(w * h);
  float* const across = swizzle_race::filled<float>(2 * K);
  const float* const down = across + K;
  const std::vector<float> data = swizzle_race::to_host(x, w * h), weight = swizzle_race::to_host(across, 2 * K);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, w * h,
      {{"naive", [=] { naive<K><<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, across, down, y, w, h); }},
       {"shared memory",
        [=] { shared_memory<K><<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(x, across, down, y, w, h); }},
       {"synthesized", [=] { Synthesized::launch(x, across, down, y, w, h); }}},
      [&](long long i) {
        const int r = (int)(i / w), c = (int)(i % w);
        double out = 0;
        for (int ky = 0; ky < K; ky++)
          for (int kx = 0; kx < K; kx++) {
            const int at_r = r + ky - K / 2, at_c = c + kx - K / 2;
            if (at_r >= 0 && at_r < h && at_c >= 0 && at_c < w)
              out += (double)weight[K + ky] * weight[kx] * data[(long long)at_r * w + at_c];
          }
        return (float)out;
      });
  for (float* buffer : {x, y, across}) swizzle_race::check(cudaFree(buffer));
  return wrong;
}

}  // namespace

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
