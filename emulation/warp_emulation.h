// Warp emulation: a CUDA kernel, unchanged, compiled and run by the host compiler.
//
// Every thread of a block is a fiber. A thread runs until it meets a warp or block intrinsic, posts its arguments
// and yields; when every live lane that the mask names has arrived, the values are exchanged. Four lanes of
// `y = __shfl_sync(0xf, x, (lane + 1) & 3)`:
//
//   lane            0       1       2       3
//   posts (x, src)  a, 1    b, 2    c, 3    d, 0        lane 3 arrives: the mask is complete
//   gets y          b       c       d       a
//
//   swizzle_emulation::launch({2}, {64}, [&] { kernel(x, y, n); });       // 2 blocks of 64 threads
//
// Order: warps, and lanes within a warp, run in ascending order (or descending: a kernel that lacks a barrier gives
// another answer then). It is deterministic. Blocks run one after another; __shared__ arrays are poisoned between.
// Exited lanes are not waited for, as CUDA specifies. The value of a lane that has exited, or that the mask
// does not name, is undefined: here it is kUndefinedWord. Lanes follow each other by (intrinsic, mask), not by source
// line.
//
// Errors: threads that wait for each other forever, a mask without its own lane and a bad width end the process
// with exit code kEmulationFailure and a message that names thread, file and line on stderr.
//
// Source of the semantics: CUDA C++ Programming Guide, "Warp Shuffle Functions", and PTX ISA, `shfl.sync`.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vector_types.inc"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __noinline__  // empty: libstdc++ writes __attribute__((__noinline__))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
// Blocks run one after another, so one copy serves; the section lets launch() poison it between blocks.
#define __shared__ static __attribute__((section("swizzle_shared")))

extern uint3 threadIdx;  // of the running fiber
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
constexpr int warpSize = 32;

namespace swizzle_emulation {

constexpr int kEmulationFailure = 86;
constexpr unsigned kUndefinedWord = 0xfff5f5f5u;  // a NaN as float, and twice over as double

enum class Order { kAscending, kDescending };

enum class Collective {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) kind,
#include "intrinsic_table.inc"
  kVote,       // whichever: gives the lanes that say yes, and above them in bits 32 to 63 those asked
  kReduction,  // likewise, whichever
  kMatchAny,
  kSyncWarp,
  kActiveMask,
  kSyncThreads,
  kSyncThreadsCount,
};

struct Site {
  const char* file;
  int line;
};

// Waits at the intrinsic until the lanes of `mask` are there; gives what this lane receives.
unsigned long long meet(Collective what, unsigned mask, unsigned long long value, int argument, int width, Site site);

// `lanes`, a power of two up to 32: shuffles do not leave a segment of so many, whatever their width.
void launch_threads(dim3 grid, dim3 block, Order order, int lanes, void (*thread)(void*), void* context);

template <typename Thread>
void launch(dim3 grid, dim3 block, Thread&& thread, Order order = Order::kAscending, int lanes = 32) {
  auto* pointer = &thread;  // handed over by address, because the thread may be const
  launch_threads(grid, block, order, lanes, [](void* at) { (**static_cast<decltype(pointer)*>(at))(); }, &pointer);
}

template <typename T>
T exchange(Collective what, unsigned mask, T value, int argument, int width, Site site) {
  static_assert(sizeof(T) <= 8 && __is_trivially_copyable(T), "a shuffle moves a plain value of at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = meet(what, mask, bits, argument, width, site);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

// What the lanes of `mask` come to, in ascending order.
template <typename T, typename Combine>
T reduced(unsigned mask, T value, Combine combine, Site site) {
  unsigned among = unsigned(meet(Collective::kReduction, mask, 1, 0, 32, site));
  bool is_first = true;
  T sum{};
  for (int lane = 0; among != 0; ++lane, among >>= 1) {
    if ((among & 1u) == 0) continue;
    const T other = exchange(Collective::kShfl, mask, value, lane, 32, site);
    sum = is_first ? other : combine(sum, other);
    is_first = false;
  }
  return sum;
}

}  // namespace swizzle_emulation

#include "copies.inc"
#include "intrinsics.inc"
#include "matrices.inc"
