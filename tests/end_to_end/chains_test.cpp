// Sketches whose steps build on each other: scans, reductions, butterflies, merges.
#include <gtest/gtest.h>

#include "tests/end_to_end/published.h"
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::chains_test {
namespace {

class Chains : public testing::TestWithParam<Published> {};

TEST_P(Chains, AreFoundProvedRereadAndRun) { expect_published(GetParam(), 2); }

INSTANTIATE_TEST_SUITE_P(AtTheirSizes, Chains,
                         testing::Values(Published{"allreduce32", 5, 5}, Published{"reduce32", 5, 10},
                                         Published{"scan32", 5, 15}, Published{"scan_max32", 5, 15},
                                         Published{"linear_recurrence32", 10, 15}, Published{"walsh_hadamard32", 5, 10},
                                         Published{"bitonic_merge16", 4, 8}, Published{"bitonic_sort32", 15, 15},
                                         Published{"sklansky_scan32", 5, 15}),
                         [](const auto& info) { return std::string(info.param.name); });

std::string steps_of(const char* steps) {
  return std::string("  int lane = t % 32, v = x[t];\n#pragma unroll\n") + steps + "  y[t] = v;";
}

constexpr const char* kAll =
    "void f(const int* x, int* y, int n) {\n"
    "  for (int i = 0; i < n; i++) { int s = 0; for (int k = 0; k < 32; k++) s += x[k]; y[i] = s; }\n}\n";

// Bits of 0, 1, 2, 3 and 4, moved, never make the five distances.
TEST(Chains, OfStepsThatTheHoleCannotTellApartAreInfeasible) {
  const ToolResult r = run_sketch(
      {"", steps_of("  for (int s = 0; s < 3; s++) v += __shfl_sync(~0u, v, ?sw_xor(lane, 32, s));\n"), kAll});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

TEST(Chains, OfHolesOfTheirOwnAreProvedTheCheapest) {
  std::string steps;
  for (int s = 0; s < 5; ++s) steps += "  v += __shfl_sync(~0u, v, ?sw_xor(lane, 32));\n";
  expect_verified({"", "  int lane = t % 32, v = x[t];\n" + steps + "  y[t] = v;", kAll});
}

}  // namespace
}  // namespace swizzle::test::chains_test
