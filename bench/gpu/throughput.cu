// What a warp's instruction costs a multiprocessor, measured: how many cycles pass for each where 32 warps issue as many
// as they can. Alone, and in turns with another: two that share a pipe take the sum of both, others the larger one.
//
//   throughput            measures; a line of CSV each: kind, first, second, cycles, device
//     alone,lop3,,0.500           cycles of a multiprocessor and warp instruction, of four schedulers: 2 each
//     pair,lop3,prmt,1.000        … of one of both kinds
//     blocks,32,,9.4              cycles of a multiprocessor and block of 32 threads that does nothing
//     clock,,,1980                MHz while this was measured
//   throughput --list     what each kernel's loop holds: both instructions, opcodes and counts, for throughput.py to look for
//
// Medians of 11 launches, of the median multiprocessor.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "throughput/arithmetic.h"
#include "throughput/memory.h"

namespace {

constexpr int kInstructions = 128;  // of a loop's body
constexpr int kIterations = 64;
constexpr int kLaunches = 11;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  exit(1);
}

struct Span {
  unsigned long long cycles, nanoseconds;
};

__device__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

constexpr int kSharedWords = 2 * kSlot / 4 + 32 * 4;  // what is chased, what is stored to, the rows of four matrices

// Each word of the block's memory is the low half of its address, each of shared memory its address; word i of the
// matrices, which lane i gets, is the address of row i. A second region is stored to.
__device__ Place prepare(unsigned char* region, unsigned* shared, unsigned a, unsigned b) {
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(shared)), rows = base + 2 * kSlot;
  for (int i = threadIdx.x; i < 2 * kSlot / 4; i += kThreads) shared[i] = base + 4 * i;
  for (int i = threadIdx.x; i < 32 * 4; i += kThreads) shared[2 * kSlot / 4 + i] = rows + 16 * (i % 32);
  for (int i = threadIdx.x; i < kRegion / 4; i += kThreads)
    reinterpret_cast<unsigned*>(region)[i] = static_cast<unsigned>(reinterpret_cast<uint64_t>(region + 4 * i));
  __syncthreads();
  return {reinterpret_cast<uint64_t>(region) + 16 * threadIdx.x, base + 16 * threadIdx.x, rows + 16 * (threadIdx.x % 32), a, b};
}

// From the first warp's begin to the last one's end.
__device__ void keep_span(unsigned long long begin, unsigned long long began_at, Span* spans) {
  __shared__ unsigned long long first, last;
  if (threadIdx.x == 0) first = ~0ull, last = 0;
  const unsigned long long end = clock64();
  __syncthreads();
  atomicMin(&first, begin);
  atomicMax(&last, end);
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {last - first, nanoseconds() - began_at};
}

// How often each of two instructions' steps stands in the loop.
template <class A, class B>
struct Body {
  static constexpr int kInstructionsEach = B::kEach == 0 ? kInstructions : kInstructions / 2;
  static constexpr int kFirst = kInstructionsEach / A::kEach;
  static constexpr int kSecond = B::kEach == 0 ? 0 : kInstructionsEach / (B::kEach == 0 ? 1 : B::kEach);
  static constexpr int kBoth = kFirst > kSecond ? kFirst : kSecond;
};

template <class A, class B>
__global__ void __launch_bounds__(kThreads)
measure(unsigned char* memory, Span* spans, unsigned* results, unsigned a, unsigned b, int iterations) {
  __shared__ __align__(16) unsigned shared[kSharedWords];
  const Place place = prepare(memory + static_cast<size_t>(blockIdx.x) * 2 * kRegion, shared, a, b);
  A first;
  B second;
  first.begin(place);
  second.begin(place);
  constexpr int kFirst = Body<A, B>::kFirst, kSecond = Body<A, B>::kSecond, kBoth = Body<A, B>::kBoth;
  __syncthreads();
  const unsigned long long began_at = nanoseconds(), begin = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; i++) {
#pragma unroll
    for (int s = 0; s < kBoth; s++) {
      if (s % (kBoth / kFirst) == 0) first.step(s / (kBoth / kFirst) % kChains);
      if constexpr (kSecond != 0)
        if (s % (kBoth / kSecond) == 0) second.step(s / (kBoth / kSecond) % kChains);
    }
  }
  keep_span(begin, began_at, spans);
  results[blockIdx.x * kThreads + threadIdx.x] = first.end() ^ second.end();
}

__global__ void nothing() {}

struct Device {
  std::string name;
  int multiprocessors = 0;
  unsigned char* memory = nullptr;
  Span* spans = nullptr;
  unsigned* results = nullptr;
};

Device open_device() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  Device device{properties.name, properties.multiProcessorCount};
  check(cudaMalloc(&device.memory, static_cast<size_t>(2 * kRegion) * device.multiprocessors));
  check(cudaMalloc(&device.spans, sizeof(Span) * device.multiprocessors));
  check(cudaMalloc(&device.results, sizeof(unsigned) * kThreads * device.multiprocessors));
  return device;
}

template <class T>
T median(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Measured {
  double cycles;     // of the loop's body, a warp
  double megahertz;  // the clock meanwhile
};

using Kernel = void (*)(unsigned char*, Span*, unsigned*, unsigned, unsigned, int);

Measured run(const Device& device, Kernel kernel, int iterations) {
  std::vector<double> cycles, megahertz;
  std::vector<Span> spans(device.multiprocessors);
  for (int launch = -1; launch < kLaunches; launch++) {
    kernel<<<device.multiprocessors, kThreads>>>(device.memory, device.spans, device.results, 3, 5, iterations);
    check(cudaGetLastError());
    check(cudaMemcpy(spans.data(), device.spans, sizeof(Span) * spans.size(), cudaMemcpyDeviceToHost));
    if (launch < 0) continue;
    std::vector<unsigned long long> each;
    for (const Span& span : spans) each.push_back(span.cycles);
    cycles.push_back(static_cast<double>(median(each)));
    megahertz.push_back(1e3 * spans[0].cycles / spans[0].nanoseconds);
  }
  return {median(cycles) / iterations / (kThreads / 32), median(megahertz)};
}

// The difference of two lengths leaves out what comes before and after the loop.
Measured loop(const Device& device, Kernel kernel) {
  const Measured shorter = run(device, kernel, kIterations), longer = run(device, kernel, 3 * kIterations);
  return {(3 * longer.cycles - shorter.cycles) / 2, longer.megahertz};
}

enum class Task { kList, kMeasure };

template <class A, class B>
void one(const Device& device, Task task) {
  constexpr int kFirst = Body<A, B>::kFirst * A::kEach, kSecond = Body<A, B>::kSecond * B::kEach;
  if (task == Task::kList) {
    constexpr int kBeside = Body<A, B>::kFirst * A::kBeside + Body<A, B>::kSecond * B::kBeside;
    printf("%s,%s,%s,%d,%s,%d,%d\n", A::kName, B::kName, A::kOpcode, kFirst, B::kOpcode, kSecond, kBeside);
    return;
  }
  const Measured measured = loop(device, measure<A, B>);
  printf("%s,%s,%s,%.4f,%s\n", kSecond ? "pair" : "alone", A::kName, kSecond ? B::kName : "", measured.cycles / kFirst, device.name.c_str());
  if constexpr (kSecond == 0)
    if (strcmp(A::kName, "ffma") == 0) printf("clock,,,%.0f,%s\n", measured.megahertz, device.name.c_str());
}

template <class... Operations>
struct List {};

template <class... Operations>
void alone(const Device& device, Task task, List<Operations...>) {
  (one<Operations, op_none>(device, task), ...);
}

void pairs(const Device&, Task, List<>) {}

template <class First, class... Others>
void pairs(const Device& device, Task task, List<First, Others...>) {
  (one<First, Others>(device, task), ...);
  pairs(device, task, List<Others...>());
}

using Alone = List<op_shfl_idx, op_shfl_up, op_shfl_down, op_shfl_bfly, op_vote, op_redux, op_lds_32, op_lds_64, op_lds_128, op_sts_32, op_sts_64,
                   op_sts_128, op_ldsm_1, op_ldsm_2, op_ldsm_4, op_lop3, op_prmt, op_sel, op_isetp, op_iadd3, op_lea, op_shf, op_imnmx,
                   op_imad, op_popc, op_flo, op_brev, op_i2f, op_fadd, op_fmul, op_ffma, op_hfma2, op_dfma, op_mufu, op_ldg_32_l1,
                   op_ldg_64_l1, op_ldg_128_l1, op_ldg_32_l2, op_ldg_64_l2, op_ldg_128_l2, op_stg_32, op_stg_64, op_stg_128>;
// One of each kind of those above.
using Paired = List<op_shfl_idx, op_vote, op_lds_32, op_sts_32, op_ldsm_4, op_lop3, op_prmt, op_sel, op_isetp, op_iadd3, op_shf,
                    op_imad, op_popc, op_fadd, op_ffma, op_mufu, op_ldg_32_l1, op_stg_32>;

// As many blocks as fill the GPU hundreds of times, of threads that do nothing.
void blocks(const Device& device, double megahertz) {
  constexpr int kBlocks = 1 << 20;
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  for (int threads = 32; threads <= 1024; threads *= 2) {
    std::vector<float> all;
    for (int launch = -1; launch < kLaunches; launch++) {
      check(cudaEventRecord(begin));
      nothing<<<kBlocks, threads>>>();
      check(cudaEventRecord(end));
      check(cudaEventSynchronize(end));
      float ms = 0;
      check(cudaEventElapsedTime(&ms, begin, end));
      if (launch >= 0) all.push_back(ms);
    }
    printf("blocks,%d,,%.2f,%s\n", threads, median(all) * 1e3 * megahertz * device.multiprocessors / kBlocks, device.name.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool lists = argc > 1 && strcmp(argv[1], "--list") == 0;
  const Device device = lists ? Device() : open_device();
  const Task task = lists ? Task::kList : Task::kMeasure;
  printf(lists ? "first,second,first_opcode,first_count,second_opcode,second_count,beside\n" : "kind,first,second,cycles,device\n");
  alone(device, task, Alone());
  pairs(device, task, Paired());
  if (!lists) blocks(device, loop(device, measure<op_ffma, op_none>).megahertz);
}
