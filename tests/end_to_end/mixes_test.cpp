// Sketches of mixed kinds: no iteration variable, a computed one, several buffers, structs, maxima, two outputs, values
// that pass several shuffles, a condition on its own.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {
namespace {

struct Expected {
  const char* name;
  double shuffles, integer_ops;
};

class Mixes : public testing::TestWithParam<Expected> {};

TEST_P(Mixes, AreFoundProvedRereadAndRun) {
  const ToolResult r = run_pair(GetParam().name, "--run=cpu");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["outcome"], "found");
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["shuffles"], GetParam().shuffles);
  EXPECT_EQ(r.report["cost"]["integer_ops"], GetParam().integer_ops);
  EXPECT_EQ(r.report["checked"]["reread"].size(), 3u);
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_GT(r.report["checked"]["run"]["inputs"], 0);
}

INSTANTIATE_TEST_SUITE_P(AtTheirSizes, Mixes,
                         testing::Values(Expected{"reverse", 1, 1}, Expected{"rotate5", 1, 2},
                                         Expected{"conv1d_stride2", 4, 16}, Expected{"interleave2", 4, 6},
                                         Expected{"transpose8x4", 1, 4}, Expected{"butterfly_quads", 2, 10},
                                         Expected{"scan_quads", 2, 6}, Expected{"bit_reverse8", 2, 14},
                                         Expected{"slope_curvature", 3, 12}, Expected{"stencil_structs", 6, 12},
                                         Expected{"stencil_aos", 6, 24}, Expected{"dilate1d", 7, 24},
                                         Expected{"circular_conv32", 64, 64}, Expected{"reverse_stencil", 5, 25},
                                         Expected{"deinterleave2", 2, 20}, Expected{"fir_symmetric", 7, 34}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::test
