// Sorting networks: whom a lane compares with, and who keeps the greater.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::sorting_networks_test {
namespace {

constexpr const char* kSorted =
    "void f(const int* x, int* y, int n) {\n  for (int b = 0; b < n; b += 32) {\n"
    "    int t[32]; for (int k = 0; k < 32; k++) t[k] = x[b + k];\n"
    "    for (int a = 0; a < 32; a++) for (int c = 0; c < 31; c++)\n"
    "      if (t[c + 1] < t[c]) { int q = t[c]; t[c] = t[c + 1]; t[c + 1] = q; }\n"
    "    for (int k = 0; k < 32; k++) y[b + k] = t[k];\n  }\n}\n";

// By the bits of a lane's number: what the steps cost is told by both conditions together.
TEST(SortingNetworks, AreFoundWithTheirDirections) {
  const ToolResult r = run_sketch(
      {"",
       "  int lane = t % 32, v = x[t];\n#pragma unroll\n  for (int k = 2; k <= 32; k *= 2)\n#pragma unroll\n"
       "    for (int d = k / 2; d > 0; d /= 2) {\n      const int w = __shfl_xor_sync(~0u, v, d);\n"
       "      if (?sw_cond(lane & d, 0) != ?sw_cond(lane & k, 0)) v = max(v, w);\n      else v = min(v, w);\n"
       "    }\n  y[t] = v;",
       kSorted});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["integer_ops"], 30);
}

}  // namespace
}  // namespace swizzle::test::sorting_networks_test
