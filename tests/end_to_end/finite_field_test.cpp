// Multiplication of bit-sliced polynomials over GF(2).
#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"
#include "tests/end_to_end/tool.h"

namespace swizzle::test::finite_field_test {
namespace {

struct Expected {
  const char* name;
  double shuffles, accumulates;
};

class FiniteField : public testing::TestWithParam<Expected> {};

TEST_P(FiniteField, IsFoundProvedRereadAndRun) {
  const ToolResult r = run_pair_on_cpu(GetParam().name);
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["outcome"], "found");
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["shuffles"], GetParam().shuffles);
  EXPECT_EQ(r.report["cost"]["accumulates"], GetParam().accumulates);
  EXPECT_EQ(r.report["checked"]["reread"].size(), 3u);
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_GT(r.report["checked"]["run"]["inputs"], 0);
}

INSTANTIATE_TEST_SUITE_P(Degree32, FiniteField,
                         testing::Values(Expected{"ff32", 64, 126}, Expected{"ff32_shared", 0, 126}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::test::finite_field_test
