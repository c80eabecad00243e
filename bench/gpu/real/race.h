// Kernels that do one piece of work, taking turns on the GPU that is there, next to copies of as many bytes.
//
//   stencil3, n = 2^27 - 5:  naive, shared memory, …, synthesized   each writes y from the same x
//
// The first contender's output is compared with what the CPU expects, element by element, the others' with the first's;
// outputs are filled with a pattern before each. Then 31 rounds, after 5 that are not counted, in which each contender
// runs once, after a copy, so that what changes with time (clocks, temperature, caches) meets all alike. One line of
// CSV a contender: work, kernel, median and least milliseconds, GB/s, median over that of the faster copy, wrong
// outputs, GPU.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "outputs.h"

namespace swizzle_race {

constexpr int kRounds = 31;

struct Contender {
  std::string kernel;
  std::function<void()> launch;
  std::function<void()> before = [] {};  // what is checked; what is timed goes on from the last round's outputs
};

template <int kItems>
__global__ void copy_items(const uint4* from, uint4* to, long long count) {
  const long long first = (long long)blockIdx.x * blockDim.x * kItems + threadIdx.x;
  uint4 item[kItems];
#pragma unroll
  for (int j = 0; j < kItems; ++j)
    if (first + j * blockDim.x < count) item[j] = from[first + j * blockDim.x];
#pragma unroll
  for (int j = 0; j < kItems; ++j)
    if (first + j * blockDim.x < count) to[first + j * blockDim.x] = item[j];
}

template <int kItems>
void copy(const void* from, void* to, long long bytes) {
  const long long count = bytes / 16;
  copy_items<kItems><<<(unsigned)((count + 256 * kItems - 1) / (256 * kItems)), 256>>>(static_cast<const uint4*>(from),
                                                                                       static_cast<uint4*>(to), count);
}

// `between` runs before each, so that all find the caches alike: what another leaves there to be written back takes
// time.
template <class Between>
std::vector<std::vector<float>> take_turns(const std::vector<Contender>& contenders, const Between& between) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<std::vector<float>> ms(contenders.size());
  for (int round = -swizzle_timing::kWarmUp; round < kRounds; ++round)
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      between();
      check(cudaEventRecord(begin));
      contenders[c].launch();
      check(cudaGetLastError());
      check(cudaEventRecord(end));
      check(cudaEventSynchronize(end));
      float taken = 0;
      check(cudaEventElapsedTime(&taken, begin, end));
      if (round >= 0) ms[c].push_back(taken);
    }
  for (std::vector<float>& one : ms) std::sort(one.begin(), one.end());
  return ms;
}

// For a profiler to count in: each once, not checked.
inline bool launches_once() { return getenv("SWIZZLE_RACE_ONCE") != nullptr; }

inline void launch_once(const std::string& work, const std::vector<Contender>& contenders) {
  for (const Contender& contender : contenders) {
    printf("%s,%s\n", work.c_str(), contender.kernel.c_str());
    contender.before();
    contender.launch();
    check(cudaDeviceSynchronize());
  }
}

// y has `count` elements of T that are checked. The copy is of `copied` elements (of as many, unless given), which x
// and y have at least: as many as the work reads and writes, halved. Returns how many contenders were wrong.
template <class T, class Expected>
int race(const std::string& work, const T* x, T* y, long long count, std::vector<Contender> contenders,
         const Expected& expected, long long copied = 0) {
  if (const char* only = getenv("SWIZZLE_RACE_ONLY"))
    contenders.erase(
        std::remove_if(contenders.begin(), contenders.end(), [&](const Contender& c) { return c.kernel != only; }),
        contenders.end());
  if (launches_once()) {
    launch_once(work, contenders);
    return 0;
  }
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  const long long bytes = (copied != 0 ? copied : count) * (long long)sizeof(T);
  T* const should = on_device<T>(count, expected);
  std::vector<unsigned long long> wrong;
  for (const Contender& contender : contenders) {
    check(cudaMemset(y, 0xa5, count * sizeof(T)));
    contender.before();
    contender.launch();
    check(cudaGetLastError());
    wrong.push_back(differences(y, should, count));
    if (wrong.size() == 1 && wrong[0] == 0) check(cudaMemcpy(should, y, count * sizeof(T), cudaMemcpyDeviceToDevice));
  }
  check(cudaFree(should));

  std::vector<Contender> all = {{"copy", [&] { copy<1>(x, y, bytes); }}, {"copy", [&] { copy<2>(x, y, bytes); }}};
  const std::size_t copies = all.size();
  all.insert(all.end(), contenders.begin(), contenders.end());
  const std::vector<std::vector<float>> ms = take_turns(all, all[0].launch);
  const std::size_t best_copy = ms[0][kRounds / 2] <= ms[1][kRounds / 2] ? 0 : 1;
  const float copy_ms = ms[best_copy][kRounds / 2];
  const auto print = [&](std::size_t c, unsigned long long different) {
    printf("%s,%s,%.4f,%.4f,%.0f,%.3f,%llu,%s\n", work.c_str(), all[c].kernel.c_str(), ms[c][kRounds / 2], ms[c][0],
           2e-6 * bytes / ms[c][kRounds / 2], ms[c][kRounds / 2] / copy_ms, different, properties.name);
  };
  print(best_copy, 0);
  for (std::size_t c = 0; c < contenders.size(); ++c) print(copies + c, wrong[c]);
  fflush(stdout);
  return (int)std::count_if(wrong.begin(), wrong.end(), [](unsigned long long w) { return w != 0; });
}

}  // namespace swizzle_race
