// ?sw_tune: numbers that are chosen among variants.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::tune_test {
namespace {

// Sums of neighbours, kOutputs a thread.
std::string sketch_of(const std::string& outputs, const std::string& more = "") {
  return "#pragma swizzle launch grid(n / (32 * kOutputs)) block(32)\n#pragma swizzle instance n = 32 * kOutputs\n"
         "#pragma swizzle check n = 256 * kOutputs\nconstexpr int kOutputs = " +
         outputs + ";\n" + more +
         "__global__ void f(const float* x, float* y, int n) {\n"
         "  const int lane = threadIdx.x, first = 32 * kOutputs * blockIdx.x;\n"
         "  for (int k = 0; k < kOutputs; k++) {\n"
         "    const float own = x[first + 32 * k + lane];\n"
         "    y[first + 32 * k + lane] = own + __shfl_sync(0xffffffffu, own, ?sw_xform(lane, 32));\n  }\n}\n";
}

constexpr const char* kSpec =
    "void f(const float* x, float* y, int n) {\n"
    "  for (int i = 0; i < n; i++) y[i] = x[i] + x[i / 32 * 32 + (i + 1) % 32];\n}\n";

ToolResult tuned_pair(const std::string& sketch, const std::string& more = "--run=none") {
  const ScratchFolder scratch;
  return run_tool(
      fmt::format("'{}' --spec '{}' {}", scratch.write("a.cu", sketch), scratch.write("a.cpp", kSpec), more));
}

TEST(Tune, EveryChoiceIsSearchedAndTheBestIsEmitted) {
  const ToolResult tuned = tuned_pair(sketch_of("?sw_tune(1, 2, 4)"));
  ASSERT_EQ(tuned.exit_code, 0) << tuned.output;
  const auto& variants = tuned.report["variants"];
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_EQ(variants[0]["choice"], nlohmann::json({4})) << "fewer blocks are launched";
  EXPECT_TRUE(variants[0]["chosen"]);
  double last = 0;
  for (const auto& variant : variants) {
    EXPECT_EQ(variant["outcome"], "found");
    EXPECT_EQ(variant["optimality"], "proved");
    EXPECT_TRUE(variant["microseconds"].is_null());
    EXPECT_GT(variant["cycles_per_kilobyte"].get<double>(), last);
    last = variant["cycles_per_kilobyte"];
  }
  EXPECT_NE(tuned.kernel.find("constexpr int kOutputs = 4;\n"), std::string::npos) << tuned.kernel;
  EXPECT_NE(tuned.kernel.find("sw_tune at 4:26 = 4\n"), std::string::npos) << tuned.kernel;
  EXPECT_EQ(tuned.report["holes"][1]["kind"], "sw_tune");
  EXPECT_EQ(tuned.report["holes"][1]["expression"], "4");
}

TEST(Tune, StandsInDirectivesAndBehindUnroll) {
  const std::string sketch = sketch_of("2");
  std::string wide = sketch;
  wide.replace(wide.find("#pragma swizzle check"), 0, "");
  const std::size_t loop = wide.find("  for (int k");
  wide.insert(loop, "#pragma unroll ?sw_tune(1, 2)\n");
  wide.replace(wide.find("n = 256 * kOutputs"), 18, "n = ?sw_tune(256, 512) * 2");
  const ToolResult tuned = tuned_pair(wide);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.output;
  EXPECT_EQ(tuned.report["variants"].size(), 4u);
  EXPECT_EQ(tuned.kernel.find('\v'), std::string::npos);
  EXPECT_EQ(tuned.kernel.find("sw_tune("), std::string::npos) << tuned.kernel;
}

TEST(Tune, LeavesOutVariantsThatAreNoSketchAndSaysWhy) {
  const ToolResult tuned = tuned_pair(sketch_of("?sw_tune(3, 4)", "static_assert(kOutputs % 2 == 0);\n"));
  ASSERT_EQ(tuned.exit_code, 0) << tuned.output;
  const auto& variants = tuned.report["variants"];
  ASSERT_EQ(variants.size(), 2u);
  EXPECT_EQ(variants[1]["choice"], nlohmann::json({3}));
  EXPECT_EQ(variants[1]["outcome"], "error");
  EXPECT_NE(variants[1]["reason"].get<std::string>().find("static assertion"), std::string::npos);
}

TEST(Tune, IsInfeasibleIfAllVariantsAre) {
  std::string sketch = sketch_of("?sw_tune(1, 2)");
  sketch.replace(sketch.find("?sw_xform(lane, 32)"), 19, "lane ^ ?sw_const(0, 2)");
  const ToolResult tuned = tuned_pair(sketch);
  EXPECT_EQ(tuned.exit_code, 10) << tuned.output;
  EXPECT_NE(tuned.report["reason"].get<std::string>().find("of 2 variants none is found"), std::string::npos);
  EXPECT_EQ(tuned.report["variants"].size(), 2u);
}

TEST(Tune, ErrorsStandWhereTheyAre) {
  const ToolResult tuned = tuned_pair(sketch_of("?sw_tune(1, n)"));
  EXPECT_EQ(tuned.exit_code, 1);
  EXPECT_NE(tuned.output.find("a.cu:4:37: error: ?sw_tune(a, b…) chooses among integers"), std::string::npos)
      << tuned.output;
  const ToolResult later = tuned_pair(sketch_of("?sw_tune(1, 2); int none = missing"));
  EXPECT_NE(later.output.find("a.cu:4:53: error: "), std::string::npos) << later.output;
}

TEST(Tune, IsAnsweredFromTheCacheBySketchAndNotByChoice) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("a.cu", sketch_of("?sw_tune(1, 2, 4)"));
  const std::string command = fmt::format("'{}' --spec '{}' --run=none --cache '{}'", path,
                                          scratch.write("a.cpp", kSpec), (scratch / "answers").string());
  const ToolResult first = run_tool(command), again = run_tool(command);
  ASSERT_EQ(first.exit_code, 0) << first.output;
  EXPECT_EQ(first.output.find("found in the cache"), std::string::npos) << first.output;
  EXPECT_NE(again.output.find("found in the cache"), std::string::npos) << again.output;
  EXPECT_EQ(again.kernel, first.kernel);
  EXPECT_EQ(again.report["variants"], first.report["variants"]);
  scratch.write("a.cu", sketch_of("?sw_tune(1, 2)"));
  const ToolResult fewer = run_tool(command);
  EXPECT_EQ(fewer.report["variants"].size(), 2u) << fewer.output;
  const ToolResult tuned = run_tool(command + " --tune");
  EXPECT_EQ(tuned.output.find("found in the cache"), std::string::npos) << "the GPU that is here has a say";
}

// Each is told once, and only of the cheapest it is said that it is.
TEST(Tune, FurtherCompletionsAreListedAndTried) {
  const ToolResult tuned = tuned_pair(sketch_of("4"), "--run=none --tune");
  ASSERT_EQ(tuned.exit_code, 0) << tuned.output;
  const auto& variants = tuned.report["variants"];
  ASSERT_GE(variants.size(), 1u) << tuned.output;
  std::set<std::size_t> completions;
  for (const auto& variant : variants) {
    EXPECT_TRUE(variant["choice"].empty());
    EXPECT_EQ(variant["outcome"], "found");
    EXPECT_TRUE(completions.insert(variant["completion"].get<std::size_t>()).second);
    EXPECT_EQ(variant["optimality"], variant["cost"] == variants[0]["cost"] ? "proved" : "not_asked");
    EXPECT_NE(tuned.output.find(fmt::format("completion {}: cost", variant["completion"].get<int>())),
              std::string::npos)
        << tuned.output;
  }
  EXPECT_EQ(completions.count(1), 1u);
}

TEST(Tune, CompletionsOfTheBestVariantAreTriedBesidesTheVariants) {
  std::string sketch = sketch_of("?sw_tune(2, 4)");
  sketch.replace(sketch.find("?sw_xform(lane, 32)"), 19, "(lane + ?sw_const(1, 97)) & 31");
  const ToolResult tuned = tuned_pair(sketch, "--run=none --tune");
  ASSERT_EQ(tuned.exit_code, 0) << tuned.output;
  const auto& variants = tuned.report["variants"];
  ASSERT_EQ(variants.size(), 4u) << "of two choices the best has the constants 1, 33 and 65\n" << tuned.output;
  std::map<int, int> of_choice;
  for (const auto& variant : variants) ++of_choice[variant["choice"][0].get<int>()];
  EXPECT_EQ(of_choice, (std::map<int, int>{{2, 1}, {4, 3}}));
}

TEST(Tune, WithoutAGpuTheModelsOrderStands) {
  if (std::filesystem::exists("/dev/nvidia0")) GTEST_SKIP() << "there is a GPU here";
  const ToolResult tuned = tuned_pair(sketch_of("?sw_tune(1, 2)"), "--run=none --tune");
  EXPECT_EQ(tuned.exit_code, 0);
  EXPECT_NE(tuned.output.find("the model's order stands"), std::string::npos) << tuned.output;
}

}  // namespace
}  // namespace swizzle::test::tune_test
