// Shuffles past the last lane of a small warp.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test {
namespace {

std::string each(const std::string& value, const std::string& type = "int") {
  return fmt::format("void f(const {0}* x, {0}* y, int n) {{ for (int t = 0; t < n; t++) y[t] = {1}; }}\n", type,
                     value);
}

std::string body(const std::string& text, const std::string& type, const std::string& directives = "") {
  return fmt::format("{1}__global__ void f(const {0}* x, {0}* y, int n) {{\n  int t = threadIdx.x;\n{2}\n}}\n", type,
                     directives, text);
}

TEST(ToyWarp, ALanePastTheEndReadsItsOwn) {
  const char* const toy =
      "#pragma swizzle launch grid(1) block(8)\n#pragma swizzle instance n = 8\n#pragma swizzle machine toy8\n";
  expect_verified({"", body("  y[t] = __shfl_down_sync(~0u, x[t], 1);", "int", toy), each("x[t < n - 1 ? t + 1 : t]")});
  expect_verified(
      {"", body("  y[t] = __shfl_up_sync(~0u, x[t], 1);", "int", std::string(toy) + "#pragma swizzle extent x(n)\n"),
       each("x[t > 0 ? t - 1 : t]")});
}

}  // namespace
}  // namespace swizzle::test
