// What structs_load.cu and structs_store.cu share: x of n structs of F floats, y of F arrays of n floats, or the other
// way round.
#pragma once

#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

#include "race.h"
#if __has_include(<trove/ptr.h>)
#include <trove/ptr.h>
#define SWIZZLE_HAS_TROVE 1
#endif

constexpr int kFloats = 1 << 27;  // about; each array begins at a multiple of 128 bytes

// Whole structs through registers where a struct is one vector, or else field by field.
template <int F>
__device__ void read_struct(const float* x, int i, float (&r)[F]) {
  if constexpr (F == 2) {
    const float2 v = reinterpret_cast<const float2*>(x)[i];
    r[0] = v.x, r[1] = v.y;
  } else if constexpr (F % 4 == 0) {
#pragma unroll
    for (int j = 0; j < F; j += 4) {
      const float4 v = *reinterpret_cast<const float4*>(&x[F * i + j]);
      r[j] = v.x, r[j + 1] = v.y, r[j + 2] = v.z, r[j + 3] = v.w;
    }
  } else {
#pragma unroll
    for (int j = 0; j < F; j++) r[j] = x[F * i + j];
  }
}

template <int F>
__device__ void write_struct(float* y, int i, const float (&r)[F]) {
  if constexpr (F == 2) {
    reinterpret_cast<float2*>(y)[i] = make_float2(r[0], r[1]);
  } else if constexpr (F % 4 == 0) {
#pragma unroll
    for (int j = 0; j < F; j += 4)
      *reinterpret_cast<float4*>(&y[F * i + j]) = make_float4(r[j], r[j + 1], r[j + 2], r[j + 3]);
  } else {
#pragma unroll
    for (int j = 0; j < F; j++) y[F * i + j] = r[j];
  }
}

constexpr int threads_of_shared_memory(int fields) { return fields > 16 ? 128 : 256; }

template <int F>
struct Fields {
  float field[F];
};

struct Peers {
  void (*naive)(const float*, float*, int);
  void (*vectors)(const float*, float*, int);
  void (*shared_memory)(const float*, float*, int);
  void (*cub)(const float*, float*, int);
  void (*trove)(const float*, float*, int);  // null where it is not there
};

// source(i, fields, n): which element of x is y[i].
template <class Synthesized, class Source>
int compete_with(const Peers& peers, const Source& source) {
  constexpr int F = Synthesized::kFields, n = kFloats / F / 32 * 32 - 160, kThreads = threads_of_shared_memory(F);
  float* const x = swizzle_race::filled<float>(F * n);
  float* const y = swizzle_race::filled<float>(F * n);
  const std::vector<float> data = swizzle_race::to_host(x, F * n);
  std::vector<swizzle_race::Contender> contenders = {
      {"naive", [=] { peers.naive<<<(n + 255) / 256, 256>>>(x, y, n); }},
      {"vectors", [=] { peers.vectors<<<(n + 255) / 256, 256>>>(x, y, n); }},
      {"shared memory", [=] { peers.shared_memory<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, y, n); }},
      {"CUB", [=] { peers.cub<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, y, n); }},
      {"synthesized", [=] { Synthesized::launch(x, y, n); }}};
  if (peers.trove) contenders.push_back({"trove", [=] { peers.trove<<<(n + 255) / 256, 256>>>(x, y, n); }});
  const int wrong = swizzle_race::race(Synthesized::kName, x, y, F * n, contenders,
                                       [&](long long i) { return data[source(i, F, n)]; });
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  return wrong;
}
