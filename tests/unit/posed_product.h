// A product of polynomials over GF(2) on 4 lanes, posed: f(const unsigned* a, const unsigned* b, unsigned* c).
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "frontend/parse.h"
#include "synth/problem/pose.h"

namespace swizzle {

// `body` is of the kernel, after `int t = threadIdx.x;`; `spec` is the spec's.
inline Program pose_product(const std::string& body, const std::string& spec, Problem& problem) {
  const std::string parameters = "f(const unsigned* a, const unsigned* b, unsigned* c) {";
  auto sketch = parse_kernel(SourceText("f.cu", "#pragma swizzle launch grid(1) block(4)\n__global__ void " +
                                                    parameters + "\n  int t = threadIdx.x;\n" + body + "\n}\n"),
                             "");
  const auto parsed = parse_spec(SourceText("f.cpp", "void " + parameters + spec + "}"), "f");
  EXPECT_TRUE(sketch.ok()) << render(sketch.errors()[0]);
  EXPECT_TRUE(parsed.ok()) << render(parsed.errors()[0]);
  EXPECT_TRUE(pose(*sketch, *parsed, {}, problem).ok());
  return std::move(*sketch);
}

}  // namespace swizzle
