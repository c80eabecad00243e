#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::stencils_test {
namespace {

TEST(Infeasible, NamesTheOutputThatCannotBeServed) {
  const ToolResult r = run_pair("infeasible_far", "--run=cpu");
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_EQ(r.report["outcome"], "infeasible");
  EXPECT_NE(r.output.find("y[30], written by thread 30, needs x[64], which no choice of the holes brings there"),
            std::string::npos)
      << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

TEST(Sizes, SetOverridesTheInstance) {
  const ToolResult r = run_pair("stencil1d", "--run=none --set n=128");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["posed"], nlohmann::json({"n=128"}));
  EXPECT_EQ(r.report["checked"]["reread"], nlohmann::json({"n=128", "n=256", "n=1024"}));
  EXPECT_NE(r.kernel.find("equal to the spec for every input at n=128 (--set n=128)\n"), std::string::npos) << r.kernel;
  EXPECT_EQ(run_pair("stencil1d", "--run=none").kernel.find("--set"), std::string::npos);
}

TEST(Reread, AChangedHoleIsRejected) {
  const ToolResult good = run_pair("stencil1d", "--run=none");
  ASSERT_EQ(good.exit_code, 0) << good.output;
  const ScratchFolder scratch;
  std::string mutated = good.kernel;
  const std::string hole = "int recv_from = (tid + k) & 31";
  const std::size_t at = mutated.find(hole);
  ASSERT_NE(at, std::string::npos);
  mutated.replace(at, hole.size(), "int recv_from = (tid + k + 1) & 31");
  mutated += "\n#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n";
  const std::string path = scratch.write("mutated.cu", mutated);
  EXPECT_EQ(run_tool("'" + path + "' --spec specs/stencil1d.cpp --run=none").exit_code, 10);
}

TEST(Readme, ShowsWhatTheToolPrints) {
  const std::string readme = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/README.md");
  const ToolResult r = run_pair("stencil1d", "--run=none");
  EXPECT_NE(readme.find(r.kernel), std::string::npos) << "the README's kernel is not what came out:\n" << r.kernel;
  const std::string sketch = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/sketches/stencil1d.cu");
  EXPECT_NE(readme.find(sketch), std::string::npos) << "the README's sketch is not sketches/stencil1d.cu";
}

}  // namespace
}  // namespace swizzle::test::stencils_test
