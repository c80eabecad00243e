// For structs_load_half.cu and structs_store_half.cu: n structs of F elements of 16 bits, F arrays of n.
#pragma once

#include "race.h"

constexpr int kHalves = 1 << 28;  // about; each array begins at a multiple of 128 bytes

// source(i, fields, n): which element of x is y[i].
template <class Synthesized, class Naive, class Shared, class Source>
int compete_with(const Naive& naive, const Shared& shared_memory, const Source& source) {
  constexpr int F = Synthesized::kFields, n = kHalves / F / 64 * 64 - 320;
  using Half = unsigned short;
  Half* const x = swizzle_race::filled<Half>(F * n);
  Half* const y = swizzle_race::filled<Half>(F * n);
  const std::vector<Half> data = swizzle_race::to_host(x, F * n);
  const int wrong = swizzle_race::race(Synthesized::kName, x, y, F * n,
                                       {{"naive", [=] { naive<<<(n + 255) / 256, 256>>>(x, y, n); }},
                                        {"shared memory", [=] { shared_memory<<<(n + 255) / 256, 256>>>(x, y, n); }},
                                        {"synthesized", [=] { Synthesized::launch(x, y, n); }}},
                                       [&](long long i) { return data[source(i, F, n)]; });
  for (Half* buffer : {x, y}) swizzle_race::check(cudaFree(buffer));
  return wrong;
}
