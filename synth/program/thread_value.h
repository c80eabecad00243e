// What an index is in one thread of a block, whatever the way it is written.
//
//   int t = threadIdx.x;  int lane = t - t / 32 * 32;      lane is 7 in thread {39, 0, 0}
//
// Source of the names: CUDA C++ Programming Guide, built-in variables.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "synth/program/program.h"

namespace swizzle {

using BlockShape = std::array<int, 3>;  // x, y, z; of a place: a thread's in it

struct ThreadPlace {
  BlockShape at = {0, 0, 0};
  std::optional<BlockShape> block;  // nothing: of any shape
};

// The value of an integer expression; `fixed` has the initializers of variables that nothing changes. Nothing: it
// depends on more than the place, or is undefined.
std::optional<std::int64_t> thread_value(const Program& program, const std::map<VariableId, ExprId>& fixed, ExprId e,
                                         const ThreadPlace& place);

inline constexpr int kLargestBlock = 1024;  // threads

// Whether it is the number of the lane in every thread of the block; nothing: of one of any size along x.
bool is_lane(const Program& program, const std::map<VariableId, ExprId>& fixed, ExprId e,
             const std::optional<BlockShape>& block);

// An `int` in C text that reads the variable; empty: it holds no integer.
std::string as_int(const Program& program, VariableId v);

}  // namespace swizzle
