// Loops of all threads of a grid along an axis, as axes that have a block for each of their turns: so that several of
// them, one within the other, are shared out like blocks.
//
//   grid(16, 16) block(32, 8)
//   for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < h; r += gridDim.y * blockDim.y) f(r);
//
//   grid(16, (h + 7) / 8) block(32, 8)
//   const int r = blockIdx.y * blockDim.y + threadIdx.y; if (r < h) f(r);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "synth/program/program.h"

namespace swizzle {

struct StrideLaunch {
  Program kernel;
  std::vector<std::pair<std::string, std::int64_t>> most;  // of sizes: beyond them, a counter passes 2^31
};

// Of kernels without shared memory, along axes whose number of blocks is known, or enough for a turn each, or as many
// up to a number, and which nothing else asks about. Nothing: there is no such loop.
std::optional<StrideLaunch> with_turns_as_blocks(const Program& kernel);

}  // namespace swizzle
