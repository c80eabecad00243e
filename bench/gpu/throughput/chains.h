// The instructions that throughput.cu measures, one struct each.
//
//   struct op_lop3: kOpcode is what cuobjdump calls it, kEach how many of them one step issues, step(i) continues chain
//   i of eight, whose results nothing else waits for.
//
// A chain's operand is its last result wherever the instruction has both, so that no compiler can leave one out;
// addresses are chased: each word of memory holds its own address, of global memory the low half. kBeside: what else a
// step issues where that cannot be helped.
#pragma once

#include <stdint.h>

constexpr int kChains = 8;
constexpr int kThreads = 1024;            // a block, one on each multiprocessor
constexpr int kSlot = kThreads * 16;      // bytes: 16 for every thread
constexpr int kRegion = kSlot * kChains;  // of a block in global memory, twice: what is chased, what is stored to

struct Place {
  uint64_t global;  // this thread's 16 bytes in the block's first slot
  unsigned shared;  // … in shared memory
  unsigned row;     // this lane's row of a matrix for ldmatrix
  unsigned a, b;    // what no compiler knows
};

struct op_none {
  static constexpr const char* kName = "none";
  static constexpr const char* kOpcode = "";
  static constexpr int kEach = 0;
  static constexpr int kBeside = 0;
  __device__ void begin(const Place&) {}
  __device__ void step(int) {}
  __device__ unsigned end() const { return 0; }
};

struct IntegerChains {
  unsigned r[kChains], a, b;
  __device__ void begin(const Place& place) {
    a = place.a, b = place.b;
    for (int i = 0; i < kChains; i++) r[i] = threadIdx.x + i + a;
  }
  __device__ unsigned end() const {
    unsigned all = 0;
    for (int i = 0; i < kChains; i++) all ^= r[i];
    return all;
  }
};

struct RealChains {
  float r[kChains], a, b;
  __device__ void begin(const Place& place) {
    a = place.a, b = place.b;
    for (int i = 0; i < kChains; i++) r[i] = threadIdx.x + i;
  }
  __device__ unsigned end() const {
    float all = 0;
    for (int i = 0; i < kChains; i++) all += r[i];
    return __float_as_uint(all);
  }
};

#define NAMED(name, opcode, each, beside)        \
  static constexpr const char* kName = #name;    \
  static constexpr const char* kOpcode = opcode; \
  static constexpr int kEach = each;             \
  static constexpr int kBeside = beside;
