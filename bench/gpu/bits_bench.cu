// Times the emitted kernels of the sketches bits_*, and copies of as many bytes, at blocks of 32 to 1024 threads.
//
//   bits_bench N           every output compared with the CPU's, then a line for each kernel and block size, as CSV;
//                          N words, a multiple of 8192
//   bits_bench N --once    each once at some block sizes, for a profiler to count in
//
// Runs of all kernels take turns, so that what changes with time (clocks, temperature) meets them alike. ÷ copy is
// against the fastest of the copies at any block size.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "timing.h"

namespace emitted_shared {
#include "kernels/bits_shared/kernel.cu"
}
namespace emitted_shuffle32 {
#include "kernels/bits_shuffle32/kernel.cu"
}
namespace emitted_shuffle8 {
#include "kernels/bits_shuffle8/kernel.cu"
}
namespace emitted_hybrid {
#include "kernels/bits_hybrid/kernel.cu"
}
namespace emitted_ballot {
#include "kernels/bits_ballot/kernel.cu"
}
namespace emitted_wide4 {
#include "kernels/bits_wide4/kernel.cu"
}
namespace emitted_wide {
#include "kernels/bits_wide/kernel.cu"
}

__global__ void copy16(const uint4* x, uint4* y, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

// Where bits_wide loads and stores.
__global__ void copy32(const uint4* x, uint4* y, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, first = i / 4 * 8 + i % 4;
  const uint4 p = x[first], q = x[first + 4];
  y[first] = p;
  y[first + 4] = q;
}

__global__ void count_different(const unsigned* a, const unsigned* b, int n, unsigned long long* different) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] != b[i]) atomicAdd(different, 1ull);
}

namespace {

using swizzle_timing::check;

constexpr int kWarmUp = 5;
constexpr int kRuns = 31;
constexpr int kBlocks[] = {32, 64, 128, 256, 512, 1024};
constexpr int kProfiledBlocks[] = {32, 256, 1024};

enum class Output { kCopied, kTransposed8, kTransposed32 };

struct Kernel {
  const char* name;
  Output output;
  void (*launch)(const unsigned* x, unsigned* y, int n, int block);
};

template <auto kernel, typename Item, int kWordsPerThread>
void launch(const unsigned* x, unsigned* y, int n, int block) {
  kernel<<<n / kWordsPerThread / block, block>>>(reinterpret_cast<const Item*>(x), reinterpret_cast<Item*>(y), n);
}

const Kernel kKernels[] = {
    {"copy16", Output::kCopied, launch<copy16, uint4, 4>},
    {"copy32", Output::kCopied, launch<copy32, uint4, 8>},
    {"bits_wide", Output::kTransposed32, launch<emitted_wide::bits_wide, uint4, 8>},
    {"bits_wide4", Output::kTransposed32, launch<emitted_wide4::bits_wide4, uint4, 4>},
    {"bits_shuffle32", Output::kTransposed32, launch<emitted_shuffle32::bits_shuffle32, unsigned, 1>},
    {"bits_shuffle8", Output::kTransposed8, launch<emitted_shuffle8::bits_shuffle8, unsigned, 1>},
    {"bits_hybrid", Output::kTransposed32, launch<emitted_hybrid::bits_hybrid, unsigned, 1>},
    {"bits_shared", Output::kTransposed32, launch<emitted_shared::bits_shared, unsigned, 1>},
    {"bits_ballot", Output::kTransposed32, launch<emitted_ballot::bits_ballot, unsigned, 1>},
};

// Of one matrix of 32 words, bit by bit.
void transpose(Output output, const unsigned* x, unsigned* y) {
  for (int i = 0; i < 32; i++) {
    unsigned row = 0;
    for (int bit = 0; bit < 32; bit++)
      row |= output == Output::kTransposed32 ? (x[bit] >> i & 1) << bit
                                             : (x[i / 8 * 8 + bit % 8] >> (bit / 8 * 8 + i % 8) & 1) << bit;
    y[i] = row;
  }
}

std::vector<unsigned> expected(Output output, const std::vector<unsigned>& x) {
  std::vector<unsigned> y = x;
  if (output == Output::kCopied) return y;
  const std::size_t count = std::max(1u, std::thread::hardware_concurrency()), tiles = x.size() / 32;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t tile = tiles * t / count; tile < tiles * (t + 1) / count; ++tile)
        transpose(output, &x[32 * tile], &y[32 * tile]);
    });
  for (std::thread& thread : threads) thread.join();
  return y;
}

struct Measured {
  const Kernel* kernel;
  int block;
  unsigned long long different;
  std::vector<float> ms;
  float median() const { return ms[ms.size() / 2]; }
};

struct Buffers {
  unsigned *x, *y, *expected;
  unsigned long long* different;
};

unsigned* words(int n) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::size_t(n) * sizeof(unsigned)));
  return static_cast<unsigned*>(memory);
}

// With the CPU's results, at every block size; the outputs are poisoned before.
void compare(std::vector<Measured>& all, const Buffers& buffers, int n) {
  const std::size_t bytes = std::size_t(n) * sizeof(unsigned);
  std::vector<unsigned> x(n);
  check(cudaMemcpy(x.data(), buffers.x, bytes, cudaMemcpyDeviceToHost));
  for (const Output output : {Output::kCopied, Output::kTransposed8, Output::kTransposed32}) {
    const std::vector<unsigned> y = expected(output, x);
    check(cudaMemcpy(buffers.expected, y.data(), bytes, cudaMemcpyHostToDevice));
    for (Measured& m : all) {
      if (m.kernel->output != output) continue;
      check(cudaMemset(buffers.y, 0xa5, bytes));
      check(cudaMemset(buffers.different, 0, sizeof *buffers.different));
      m.kernel->launch(buffers.x, buffers.y, n, m.block);
      check(cudaGetLastError());
      count_different<<<(n + 255) / 256, 256>>>(buffers.y, buffers.expected, n, buffers.different);
      check(cudaMemcpy(&m.different, buffers.different, sizeof m.different, cudaMemcpyDeviceToHost));
    }
  }
}

void time_all(std::vector<Measured>& all, const Buffers& buffers, int n) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  for (int run = -kWarmUp; run < kRuns; ++run)
    for (Measured& m : all) {
      check(cudaEventRecord(begin));
      m.kernel->launch(buffers.x, buffers.y, n, m.block);
      check(cudaEventRecord(end));
      check(cudaEventSynchronize(end));
      float ms = 0;
      check(cudaEventElapsedTime(&ms, begin, end));
      if (run >= 0) m.ms.push_back(ms);
    }
  for (Measured& m : all) std::sort(m.ms.begin(), m.ms.end());
}

bool print(const std::vector<Measured>& all, int n) {
  float copy = 0;
  bool are_equal = true;
  for (const Measured& m : all)
    if (m.kernel->output == Output::kCopied && (copy == 0 || m.median() < copy)) copy = m.median();
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  printf("kernel,block,median_ms,least_ms,gb_per_s,over_copy,matrices_per_s,different,device\n");
  for (const Measured& m : all) {
    const double bytes = 2.0 * n * sizeof(unsigned), matrices = n / (m.kernel->output == Output::kTransposed8 ? 2 : 32);
    printf("%s,%d,%.5f,%.5f,%.0f,%.4f,%.4g,%llu,%s\n", m.kernel->name, m.block, m.median(), m.ms[0],
           bytes / m.median() / 1e6, m.median() / copy, matrices / m.median() * 1e3, m.different, properties.name);
    are_equal = are_equal && m.different == 0;
  }
  return are_equal;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 0;
  const bool once = argc > 2 && strcmp(argv[2], "--once") == 0;
  if (n <= 0 || n % 8192 != 0) {
    fprintf(stderr, "usage: bits_bench N [--once]\n");
    return 2;
  }
  Buffers buffers{};
  buffers.x = static_cast<unsigned*>(swizzle_timing::filled(4ll * n, false));
  buffers.y = words(n);
  if (once) {
    for (const Kernel& kernel : kKernels)
      for (const int block : kProfiledBlocks) kernel.launch(buffers.x, buffers.y, n, block);
    check(cudaDeviceSynchronize());
    return 0;
  }
  buffers.expected = words(n);
  check(cudaMalloc(reinterpret_cast<void**>(&buffers.different), sizeof *buffers.different));
  std::vector<Measured> all;
  for (const Kernel& kernel : kKernels)
    for (const int block : kBlocks) all.push_back({&kernel, block, 0, {}});
  compare(all, buffers, n);
  time_all(all, buffers, n);
  return print(all, n) ? 0 : 1;
}
