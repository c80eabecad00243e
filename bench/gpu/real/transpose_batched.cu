// transpose_batched of sketches/real: m matrices of h rows of w floats.
#include "race.h"
#include "synthesized/transpose_batched.h"

namespace {

constexpr int kWidth = 544, kHeight = 480, kMatrices = 512;

__global__ void naive(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, matrix = blockIdx.z * w * h;
  if (r < h && c < w) y[matrix + c * h + r] = x[matrix + r * w + c];
}

// By tiles of 32 x 32, a column of padding, 32 x 8 threads.
__global__ void shared_memory(const float* __restrict__ x, float* __restrict__ y, int w, int h) {
  __shared__ float tile[32][33];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32, matrix = blockIdx.z * w * h;
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8)
    if (top + j < h && left + threadIdx.x < w) tile[j][threadIdx.x] = x[matrix + (top + j) * w + left + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8)
    if (left + j < w && top + threadIdx.x < h) y[matrix + (left + j) * h + top + threadIdx.x] = tile[threadIdx.x][j];
}

template <class Synthesized>
int compete() {
  constexpr int w = kWidth, h = kHeight, m = kMatrices, count = w * h * m;
  float* const x = swizzle_race::filled<float>(count);
  float* const y = swizzle_race::filled<float>(count);
  const std::vector<float> data = swizzle_race::to_host(x, count);
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, count,
      {{"naive", [=] { naive<<<dim3((w + 31) / 32, (h + 7) / 8, m), dim3(32, 8)>>>(x, y, w, h); }},
       {"shared memory", [=] { shared_memory<<<dim3((w + 31) / 32, (h + 31) / 32, m), dim3(32, 8)>>>(x, y, w, h); }},
       {"synthesized", [=] { Synthesized::launch(x, y, w, h, m); }}},
      [&](long long i) {
        const long long matrix = i / (w * h) * (w * h), at = i % (w * h);
        return data[matrix + at % h * w + at / h];
      });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}

}  // namespace

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
