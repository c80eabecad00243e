// Sizes that the launch of a kernel takes, and the kernel is not given.
//
//   softmax<<<rows, 256>>>(x, y, cols);      __global__ void softmax(const float* x, float* y, int cols)
//   the spec                                 void softmax(const float* x, float* y, int rows, int cols)
//
// Such a size becomes a parameter of the kernel's program, where the spec has it: it has a value at each instance, and
// no statement that the user wrote names it. `Variable::is_launched` says so.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "synth/program/program.h"

namespace swizzle {

// `more`: names of other host variables that the spec may have.
void take_launched_sizes(Program& kernel, const Program& spec, std::set<std::string> more = {});

// Values for what is left: parameters of neither, of which `set` has one, or that are a dimension of the block,
// 256 threads in all: f<<<(n + block_size - 1) / block_size, block_size>>>(x, n). What is proved then says so.
Sizes fix_launched_sizes(Program& kernel, const Sizes& set);

// An error at the first name in the launch that is a parameter of neither.
std::optional<Diagnostic> unknown_launched_size(const Program& kernel);

// Whether the parameter of this name is one of those.
bool is_launched_size(const Program& kernel, const std::string& name);

}  // namespace swizzle
