// softmax_rows of sketches/real: rows of as many elements as a warp takes.
#include "race.h"
#include "synthesized/softmax_rows.h"

// A thread for each row.
__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= h) return;
  float most = -INFINITY, sum = 0;
  for (int c = 0; c < w; c++) most = fmaxf(most, x[row * w + c]);
  for (int c = 0; c < w; c++) sum += expf(x[row * w + c] - most);
  for (int c = 0; c < w; c++) y[row * w + c] = expf(x[row * w + c] - most) / sum;
}

template <class Join>
__device__ float joined(float* values, float own, const Join& join) {
  __syncthreads();
  values[threadIdx.x] = own;
#pragma unroll
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) values[threadIdx.x] = join(values[threadIdx.x], values[threadIdx.x + d]);
  }
  __syncthreads();
  return values[0];
}

// A block of 128 threads for each row, by trees in shared memory.
template <int kColumns>
__global__ void __launch_bounds__(128) shared_memory(const float* __restrict__ x, float* __restrict__ y, int w) {
  __shared__ float values[128];
  const float* const row = x + blockIdx.x * w;
  float own[kColumns / 128], most = -INFINITY, sum = 0;
#pragma unroll
  for (int k = 0; k < kColumns / 128; k++) {
    const int c = 128 * k + threadIdx.x;
    own[k] = c < w ? row[c] : -INFINITY;
    most = fmaxf(most, own[k]);
  }
  most = joined(values, most, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll
  for (int k = 0; k < kColumns / 128; k++) sum += own[k] = expf(own[k] - most);
  sum = joined(values, sum, [](float a, float b) { return a + b; });
#pragma unroll
  for (int k = 0; k < kColumns / 128; k++)
    if (128 * k + threadIdx.x < w) y[blockIdx.x * w + 128 * k + threadIdx.x] = own[k] / sum;
}

template <class Synthesized>
int compete() {
  constexpr int w = Synthesized::kColumns - 12, h = (1 << 27) / Synthesized::kColumns - 3;
  float* const x = swizzle_race::filled<float>(w * h);
  float* const y = swizzle_race::filled<float>(w * h);
  const std::vector<float> data = swizzle_race::to_host(x, w * h);
  std::vector<double> most(h, 0), sum(h, 0);
  for (int r = 0; r < h; r++) {
    for (int c = 0; c < w; c++) most[r] = std::max(most[r], (double)data[r * w + c]);
    for (int c = 0; c < w; c++) sum[r] += exp(data[r * w + c] - most[r]);
  }
  const int wrong =
      swizzle_race::race(Synthesized::kName, x, y, w * h,
                         {{"naive", [=] { naive<<<(h + 255) / 256, 256>>>(x, y, w, h); }},
                          {"shared memory", [=] { shared_memory<Synthesized::kColumns><<<h, 128>>>(x, y, w); }},
                          {"synthesized", [=] { Synthesized::launch(x, y, w, h); }}},
                         [&](long long i) { return (float)(exp(data[i] - most[i / w]) / sum[i / w]); });
  for (float* buffer : {x, y}) swizzle_race::check(cudaFree(buffer));
  return wrong;
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
