// The machine table: what an instruction of a warp costs. Units: issue slots of one scheduler, modelled.
//
// On sm_90 a shuffle and a shared-memory wavefront take the pipe that four schedulers share: 4 slots. (CUDA C++
// Programming Guide, throughput of native arithmetic instructions: 32 shuffles a cycle and SM.) An accumulate or a
// multiply depends on the one before and cannot be folded away: 2. Index arithmetic overlaps with it, and unrolled
// loops fold a part of it into constants: 1. The 128 bytes that a warp loads from global memory come from the L2 cache
// at 64 bytes a cycle and SM: two cycles, 8 slots.
#pragma once

#include <optional>
#include <string>

namespace swizzle {

inline constexpr double kCostTolerance = 1e-6;  // costs that differ by less are the same

struct IssueCosts {
  std::string arch = "sm_90";
  double shuffle = 4;
  double shared_wavefront = 4;
  double load = 8;
  double accumulate = 2;
  double multiply = 2;
  double integer_op = 1;
};

// Architectures that the table knows: sm_70 … sm_121. Nothing for any other.
std::optional<IssueCosts> issue_costs_for(const std::string& arch);

}  // namespace swizzle
