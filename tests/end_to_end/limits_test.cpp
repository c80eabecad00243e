// The time limit: whatever it ends, exit code, report and kernel say the same, and what was found is not lost.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::limits_test {
namespace {

void expect_agreement(const ToolResult& r) {
  ASSERT_FALSE(r.report.empty()) << r.output;
  const std::string outcome = r.report["outcome"];
  EXPECT_EQ(r.exit_code, outcome == "found" ? 0 : outcome == "infeasible" ? 10 : 20) << r.output;
  EXPECT_EQ(outcome == "found", !r.kernel.empty());
  EXPECT_EQ(outcome == "found", r.report["cost"].is_object());
  EXPECT_EQ(outcome == "found", r.report["optimality"].is_string());
  EXPECT_EQ(outcome == "found", r.report["reason"] == "");
  double phases = 0;
  for (const auto& [name, seconds] : r.report["seconds"].items())
    if (name != "total" && seconds.is_number()) phases += seconds.get<double>();
  EXPECT_GE(r.report["seconds"]["total"].get<double>() + 1e-9, phases);
  if (r.report["optimality"] != "best_found") return;
  if (r.report["at_least"].is_number()) EXPECT_LE(r.report["at_least"], r.report["cost"]["total"]);
  EXPECT_NE(r.output.find("note: there may be more completions, and cheaper ones: the time limit of "),
            std::string::npos)
      << r.output;
}

class TimeLimit : public testing::TestWithParam<const char*> {};

TEST_P(TimeLimit, EndsInOneOutcome) {
  for (const char* limit : {"1e-9", "0.003", "0.01", "0.02", "0.05", "0.1", "0.3"})
    for (const char* more : {"", "--first", "--all"}) {
      SCOPED_TRACE(fmt::format("--time-limit {} {}", limit, more));
      expect_agreement(run_pair(GetParam(), fmt::format("--run=none --time-limit {} {}", limit, more)));
    }
}

INSTANTIATE_TEST_SUITE_P(Sketches, TimeLimit,
                         testing::Values("stencil1d", "scatter_tile8", "tile_fields8_lanes", "infeasible_load",
                                         "infeasible_scatter", "tile_stencil3", "ff32_shared"),
                         [](const auto& i) { return std::string(i.param); });

TEST(Limits, TheDefaultIsNamedWhereItIsSaid) {
  const ToolResult help = run_tool("--help --time-limit 1");
  EXPECT_NE(help.output.find("60 by default; inf for none"), std::string::npos) << help.output;
  EXPECT_EQ(run_pair("reverse", "--run=none --time-limit inf").exit_code, 0);
}

// No two of so many iterations are alike for a spec that takes an index apart.
TEST(Limits, ACheckSizeMayBeLarge) {
  const std::string spec =
      "void f(const int* x, int* y, int n) {\n"
      "  for (int i = 0; i < n; i++) y[i] = x[i / 8 * 8 + i % 2 * 4 + i / 2 % 2 * 2 + i / 4 % 2];\n}\n";
  const std::string sketch =
      "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 32\n"
      "#pragma swizzle check n = 256256\n"
      "__global__ void f(const int* x, int* y, int n) {\n"
      "  int i = blockIdx.x * 32 + threadIdx.x, v = x[i];\n"
      "  v = __shfl_sync(~0u, v, ?sw_xform(threadIdx.x, 32));\n"
      "  y[i] = __shfl_sync(~0u, v, ?sw_xform(threadIdx.x, 32));\n}\n";
  const ScratchFolder scratch;
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none --time-limit 0.3",
                                            scratch.write("f.cu", sketch), scratch.write("f.cpp", spec)));
  EXPECT_TRUE(r.exit_code == 0 || r.exit_code == 20) << r.exit_code << r.output;
}

TEST(Limits, ACompletionThatTakesTooManyStepsIsNeitherRightNorWrong) {
  const ScratchFolder scratch;  // the instance is small, and the size to check is not
  const std::string sketch = scratch.write("f.cu", R"(// swizzle launch grid(1) block(32)
// swizzle instance n = 1
// swizzle check n = 10000000
// swizzle extent x(32)
// swizzle extent y(32)
__global__ void f(const float* x, float* y, int n) {
  const int t = threadIdx.x;
  int turns = 0;
  for (int k = 0; k < n; k++) turns++;
  if (turns == n) y[t] = x[?sw_xform(t, 32)];
}
)");
  const std::string spec = scratch.write(
      "f.cpp", "void f(const float* x, float* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[31 - i]; }\n");
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none", sketch, spec));
  EXPECT_EQ(r.exit_code, 20) << r.output;
  EXPECT_EQ(r.report["outcome"], "unknown");
  EXPECT_EQ(r.report["reason"], "a completion was found, and executing it at n=10000000 takes too long");
  EXPECT_NE(r.output.find("note: execution passed the limit of 50000000 steps"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::limits_test
