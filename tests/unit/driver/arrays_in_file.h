// Kernels as `check` parses them, for tests of what is read off a program.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "driver/check.h"

namespace swizzle::test {

// The first kernel of a text.
inline CheckedKernel parsed_kernel(const std::string& text) {
  CheckRequest request;
  request.path = "k.cu";
  const SourceText source("k.cu", text);
  auto kernels = parse_kernels(source, request);
  EXPECT_TRUE(kernels.ok() && !kernels->kernels.empty()) << text;
  return kernels.ok() && !kernels->kernels.empty() ? std::move(kernels->kernels[0]) : CheckedKernel{};
}

inline VariableId variable_named(const Program& program, const std::string& name) {
  for (std::uint32_t v = 0; v < program.variables.size(); ++v)
    if (program.variables[v].name == name) return VariableId(v);
  ADD_FAILURE() << "there is no variable " << name;
  return {};
}

}  // namespace swizzle::test
