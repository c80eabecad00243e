// Sketches that are no plain stencils: no iteration variable, a computed one, two buffers, a condition on its own.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {
namespace {

struct Expected {
  const char* name;
  double shuffles;
};

class Mixes : public testing::TestWithParam<Expected> {};

TEST_P(Mixes, AreFoundProvedRereadAndRun) {
  const ToolResult r = run_pair(GetParam().name, "--run=cpu");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["outcome"], "found");
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["shuffles"], GetParam().shuffles);
  EXPECT_EQ(r.report["checked"]["reread"].size(), 3u);
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_GT(r.report["checked"]["run"]["inputs"], 0);
}

INSTANTIATE_TEST_SUITE_P(AtTheirSizes, Mixes,
                         testing::Values(Expected{"reverse", 1}, Expected{"rotate5", 1}, Expected{"conv1d_stride2", 4}, Expected{"interleave2", 4}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::test
