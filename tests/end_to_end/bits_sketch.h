// Sketches of words that are followed bit by bit, and their specs: y[t] of x[0 … 31], in one warp.
#pragma once

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::bits {

inline constexpr const char* kHead =
    "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle bits(x, y)\n";

// A kernel over words: `body` stores to y[t].
inline std::string kernel_of(const std::string& body, const std::string& type = "unsigned") {
  return fmt::format("{0}__global__ void f(const {1}* x, {1}* y, int n) {{\n  int t = threadIdx.x;\n  {2}\n}}\n", kHead,
                     type, body);
}
inline std::string spec_of(const std::string& body, const std::string& type = "unsigned") {
  return fmt::format("void f(const {0}* x, {0}* y, int n) {{ for (int t = 0; t < n; t++) {{ {1} }} }}\n", type, body);
}

inline constexpr const char* kTransposed =
    "void f(const unsigned* x, unsigned* y, int n) { for (int i = 0; i < 32; i++) { unsigned r = 0;\n"
    "for (int j = 0; j < 32; j++) r |= (x[j] >> i & 1) << j; y[i] = r; } }\n";

}  // namespace swizzle::test::bits
