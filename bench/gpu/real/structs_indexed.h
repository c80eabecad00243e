// What structs_gather.cu and structs_scatter.cu share: structs of F floats in any order, and F arrays of n floats.
#pragma once

#include <numeric>
#include <random>

#include "structs.h"

struct IndexedPeers {
  void (*naive)(const float*, const int*, float*, int);
  void (*vectors)(const float*, const int*, float*, int);
  void (*shared_memory)(const float*, const int*, float*, int);
  void (*trove)(const float*, const int*, float*, int);  // null where it is not there
};

// Where the struct of each thread comes from, or goes to: 0 … n - 1 in any order.
struct Places {
  std::vector<int> index, inverse;
  explicit Places(int n) : index(n), inverse(n) {
    std::iota(index.begin(), index.end(), 0);
    std::shuffle(index.begin(), index.end(), std::mt19937(7));
    for (int i = 0; i < n; ++i) inverse[index[i]] = i;
  }
};

// expected(data, places, i, fields, n): what y[i] is.
template <class Synthesized, class Expected>
int compete_with(const IndexedPeers& peers, const Expected& expected) {
  constexpr int F = Synthesized::kFields, n = kFloats / F / 32 * 32 - 160, kThreads = threads_of_shared_memory(F);
  constexpr long long kMoved = (long long)F * n + n / 2;  // with the index, which is read alone
  float* const x = swizzle_race::filled<float>(kMoved);
  float* const y = swizzle_race::filled<float>(kMoved);
  const Places places(n);
  int* const index = swizzle_race::on_device<int>(n, [&](long long i) { return places.index[i]; });
  const std::vector<float> data = swizzle_race::to_host(x, F * n);
  std::vector<swizzle_race::Contender> contenders = {
      {"naive", [=] { peers.naive<<<(n + 255) / 256, 256>>>(x, index, y, n); }},
      {"vectors", [=] { peers.vectors<<<(n + 255) / 256, 256>>>(x, index, y, n); }},
      {"shared memory", [=] { peers.shared_memory<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, index, y, n); }},
      {"synthesized", [=] { Synthesized::launch(x, index, y, n, n); }}};
  if (peers.trove) contenders.push_back({"trove", [=] { peers.trove<<<(n + 255) / 256, 256>>>(x, index, y, n); }});
  const int wrong = swizzle_race::race(
      Synthesized::kName, x, y, F * n, contenders, [&](long long i) { return expected(data, places, i, F, n); },
      kMoved);
  swizzle_race::check(cudaFree(x));
  swizzle_race::check(cudaFree(y));
  swizzle_race::check(cudaFree(index));
  return wrong;
}
