// The machine table: what an instruction of a warp costs. Units: issue slots of one scheduler.
//
// On sm_90 a scheduler issues one warp instruction a cycle. A 32-bit shuffle and a shared-memory wavefront occupy the
// shared pipe of four schedulers for a cycle each, and stand for 2 slots; integer and FP32 operations issue at full
// rate. (CUDA C++ Programming Guide, arithmetic instructions throughput: 32 shuffles, 64 int32 and 128 FP32 a cycle
// and SM.)
#pragma once

#include <optional>
#include <string>

namespace swizzle {

struct Machine {
  std::string arch = "sm_90";
  double shuffle = 4;
  double shared_wavefront = 4;
  double accumulate = 1;
  double multiply = 1;
  double integer_op = 2;
};

// Architectures that the table knows: sm_70 … sm_121. Nothing for any other.
std::optional<Machine> machine_for(const std::string& arch);

}  // namespace swizzle
