// Parameters of a kernel that its launch computes from sizes of the spec.
//
//   const int N = B * T;
//   softmax<<<N, 32>>>(y, x, N, C);      __global__ void softmax(float* y, const float* x, int N, int C)
//   the spec                             void softmax(float* y, const float* x, int B, int T, int C)
//
// Where kernel and spec take different numbers of parameters, or the spec has in its place one that the launch computes
// it from, such a parameter becomes a variable of the kernel's program, `int N = B * T`, over launched sizes
// (launched_sizes.h); `Function::computed` has its place.
#pragma once

#include "synth/program/program.h"

namespace swizzle {

// Leaves the kernel as it is where that does not give it the spec's number of parameters.
void compute_sizes(Program& kernel, const Program& spec);

}  // namespace swizzle
