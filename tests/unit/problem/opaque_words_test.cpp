#include "synth/problem/opaque_words.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::opaque_words_test {
namespace {

// Not `~` of a constant, nor `+` of indices or of a pointer.
TEST(OpaqueWords, AreThoseOfData) {
  const auto sketch = parse_kernel(SourceText("a.cu",
                                              "__global__ void f(const int* x, int* y, int n) {\n"
                                              "  const unsigned t = threadIdx.x, m = ~0u ^ t;\n"
                                              "  const int* p = x + t + 1;\n"
                                              "  const int v = *p;\n"
                                              "  y[t + m] = (v ^ x[t]) + 1;\n}\n"),
                                   "f");
  ASSERT_TRUE(sketch.ok());
  const Program spec = *sketch;
  EXPECT_TRUE(told({true, Ring::kXor, 0}, *sketch, spec).starts_with("'^' at 5:15 is"))
      << told({true, Ring::kXor, 0}, *sketch, spec);
  EXPECT_TRUE(told({true, Ring::kSum, 0}, *sketch, spec).starts_with("'+' at 5:14 is"))
      << told({true, Ring::kSum, 0}, *sketch, spec);
}

// Where there is no other.
TEST(OpaqueWords, MayBeOfIndices) {
  const auto sketch = parse_kernel(
      SourceText("a.cu",
                 "__global__ void f(const int* x, int* y, int n) {\n  y[threadIdx.x ^ 1] = x[threadIdx.x];\n}\n"),
      "f");
  ASSERT_TRUE(sketch.ok());
  EXPECT_TRUE(told({true, Ring::kXor, 0}, *sketch, *sketch).starts_with("'^' at 2:5 is"));
}

}  // namespace
}  // namespace swizzle::opaque_words_test
