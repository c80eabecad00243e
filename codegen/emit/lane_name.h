// Lane names: what the sketch calls a thread's lane where load() needs it.
//
//   const int tid = threadIdx.x, lane = tid & 31;
//   auto rc = load(x, base, 1, 2);                  rc[0] = x[base + lane], not x[base + int(threadIdx.x % 32)]
//
// A variable counts if it is in scope there, never changes, and has the lane's number in every thread of every block.
#pragma once

#include <string>
#include <vector>

#include "synth/problem/pose.h"

namespace swizzle {

// `site` is in the kernel itself. An `int` as C text, the lane computed anew where there is no such variable.
std::string lane_name(const Program& program, const std::vector<Posed>& posed, ExprId site);

}  // namespace swizzle
