// How long a kernel will take, by what its warps do: counted on its text, without running it anywhere.
//
//   stencil of 9 points, 4 outputs a thread, at n = 2500: of 5 blocks the one in the middle, warps 0 … 3
//     8 SHFL, 36 FADD, 8 SEL, 4 STG + LDG … a warp; 4,096 bytes are moved for it
//     issue 30, alu 16, fma 12, lsu 20, memory 63 cycles of a multiprocessor      predicted: 71
//
// Of the sizes that are given the one with the most blocks counts, and of its launch the block in the middle: it is
// whole where those at the edges are not. What is moved from and to device memory: for each byte that the block stores,
// as much as the arrays that are read and written have for each byte of those that are written.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "synth/timing/instruction_mix.h"

namespace swizzle {

struct TimedLaunch {
  Sizes sizes;
  LaunchShape shape;
  std::vector<std::int64_t> extents = {};  // slots of each parameter
};

struct KernelTime {
  Sizes at;
  int warps = 1;                   // of a block
  InstructionMix mix;              // of a warp, on average
  double moved_bytes = 0;          // for a warp
  double cycles_per_kilobyte = 0;  // of a multiprocessor, for 1,024 bytes that are stored; 0: nothing is
  PredictedTime time;              // of a warp
};

// Or why nothing is known: "data decide how often a loop runs".
using PredictedKernel = std::variant<KernelTime, std::string>;
PredictedKernel predict_kernel(const Program& kernel, const std::vector<TimedLaunch>& launches,
                               const Throughput& machine);

}  // namespace swizzle
