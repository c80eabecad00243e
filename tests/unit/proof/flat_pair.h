// A kernel over x, y and n, with t the thread in its block and i its number in the launch; and its spec.
#pragma once

#include <string>

#include <fmt/format.h>

#include "frontend/parse.h"

namespace swizzle::test {

inline Result<Program> flat_kernel(const std::string& launch, const std::string& body) {
  return parse_kernel(
      SourceText("k.cu", fmt::format("#pragma swizzle launch {}\n__global__ void f(const int* x, int* y, int n) {{\n"
                                     "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  {}\n}}\n",
                                     launch, body)),
      "f");
}

inline Result<Program> flat_spec(const std::string& body) {
  return parse_spec(SourceText("s.cpp", fmt::format("void f(const int* x, int* y, int n) {{ {} }}", body)), "f");
}

}  // namespace swizzle::test
