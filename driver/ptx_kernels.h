// The kernels of a module as `check` needs them: what they are called, which launches there are, what they are given.
//
//   k(float* y, int n)     arguments {y: a buffer}, {n: an integer}; checked.name "k", with a Program of its signature
//
// Of a CUDA file that Clang reads as well, `checked` is Clang's: with its launches, and its names for what lies in
// records.
#pragma once

#include <string>
#include <vector>

#include "driver/ptx_sources.h"
#include "frontend/parse_check.h"

namespace swizzle {

struct PtxKernel {
  const ptx::Function* function = nullptr;
  std::vector<ptx::Argument> arguments;  // without values
  CheckedKernel checked;
};

// `wanted`: "name", "name<32>"; empty: all. `known`: as Clang reads them. In the order of the sources.
std::vector<PtxKernel> ptx_kernels(const PtxSources& sources, const std::string& wanted,
                                   const std::vector<CheckedKernel>& known);

// Whether two spellings of a kernel's name mean the same: "ns::k<256U>" and "k<256u>".
bool is_same_kernel(const std::string& a, const std::string& b);

}  // namespace swizzle
