// The part of a RunRequest that kernel and sizes determine: name, parameters and what each size launches.
//
//   k(const float4* x, float* y, int n), posed at n=64, where the spec touches 256 slots of x and 64 of y
//     parameters: {"x", kF32, 4, "float4", const}, {"y", kF32, 1, "float"}, {"n", "int"}
//     sizes:      {n=64, grid and block, extents {64, 64}}
//
// Left to the caller: the paths and what concerns the spec.
#pragma once

#include "codegen/run.h"
#include "synth/problem/pose.h"

namespace swizzle {

RunRequest run_request(const Program& kernel, const std::vector<Posed>& posed);

}  // namespace swizzle
