// depthwise_nhwc of sketches/real: an image of h rows of w pixels of C channels, 3 x 3 weights a channel.
#include "race.h"
#include "synthesized/depthwise_nhwc.h"

namespace {

constexpr int kWidth = 1436, kHeight = 1459;

template <int C>
__global__ void naive(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int w, int h) {
  const int at = blockIdx.x * 256 + threadIdx.x, channel = at % C, c = at / C % w, r = at / C / w;
  if (r >= h) return;
  float out = 0;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    const int at_r = r + k / 3 - 1, at_c = c + k % 3 - 1;
    if (at_r >= 0 && at_r < h && at_c >= 0 && at_c < w) out += weights[C * k + channel] * x[(at_r * w + at_c) * C + channel];
  }
  y[at] = out;
}

// Four channels of four rows a thread, which loads what it needs for itself.
template <int C>
__global__ void vectors(const float* __restrict__ x, const float* __restrict__ weights, float* __restrict__ y, int w, int h) {
  const int at = blockIdx.x * 256 + threadIdx.x, channel = 4 * (at % (C / 4)), c = at / (C / 4), top = 4 * blockIdx.y;
  if (c >= w) return;
  __align__(16) float weight[9][4], out[4][4] = {};
#pragma unroll
  for (int k = 0; k < 9; k++) *reinterpret_cast<float4*>(weight[k]) = *reinterpret_cast<const float4*>(&weights[C * k + channel]);
#pragma unroll
  for (int r = -1; r < 5; r++) {
    __align__(16) float row[3][4] = {};
#pragma unroll
    for (int k = 0; k < 3; k++)
      if (top + r >= 0 && top + r < h && c + k - 1 >= 0 && c + k - 1 < w)
        *reinterpret_cast<float4*>(row[k]) = *reinterpret_cast<const float4*>(&x[((top + r) * w + c + k - 1) * C + channel]);
#pragma unroll
    for (int o = r - 1; o <= r + 1; o++) {
      if (o < 0 || o >= 4) continue;
#pragma unroll
      for (int k = 0; k < 3; k++)
#pragma unroll
        for (int e = 0; e < 4; e++) out[o][e] += weight[3 * (r - o + 1) + k][e] * row[k][e];
    }
  }
#pragma unroll
  for (int o = 0; o < 4; o++)
    if (top + o < h) *reinterpret_cast<float4*>(&y[((top + o) * w + c) * C + channel]) = *reinterpret_cast<float4*>(out[o]);
}

template <class Synthesized>
int compete() {
  constexpr int C = Synthesized::kChannels, w = kWidth, h = kHeight, count = w * h * C;
  float* const x = swizzle_race::filled<float>(count);
  float* const y = swizzle_race::filled<float>(count);
  float* const weights = swizzle_race::filled<float>(9 * C);
  const std::vector<float> data = swizzle_race::to_host(x, count), weight = swizzle_race::to_host(weights, 9 * C);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, count,
      {{"naive", [=] { naive<C><<<(count + 255) / 256, 256>>>(x, weights, y, w, h); }},
       {"vectors", [=] { vectors<C><<<dim3((w * (C / 4) + 255) / 256, (h + 3) / 4), 256>>>(x, weights, y, w, h); }},
       {"synthesized", [=] { Synthesized::launch(x, weights, y, w, h); }}},
      [&](long long i) {
        const int channel = (int)(i % C), c = (int)(i / C % w), r = (int)(i / C / w);
        double out = 0;
        for (int k = 0; k < 9; k++) {
          const int at_r = r + k / 3 - 1, at_c = c + k % 3 - 1;
          if (at_r >= 0 && at_r < h && at_c >= 0 && at_c < w)
            out += (double)weight[C * k + channel] * data[((long long)at_r * w + at_c) * C + channel];
        }
        return (float)out;
      });
  for (float* buffer : {x, y, weights}) swizzle_race::check(cudaFree(buffer));
  return wrong;
}

}  // namespace

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
