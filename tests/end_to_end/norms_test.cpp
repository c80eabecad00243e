// Rows that are normed: sums of a warp go into functions, and what comes of these into others.
#include <gtest/gtest.h>

#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::norms_test {
namespace {

// A row of 32 a warp; `norm` and `of_spec` are what becomes of an element v, its row's sum s, and its sum of squares q.
struct Norm {
  std::string norm, of_spec = {};
  int steps = 32;  // until a distance of which lanes add up
  std::string flags = {};
};

ToolResult run_norm(const Norm& n) {
  const std::string kernel = fmt::format(
      "#pragma swizzle launch grid(h) block(32)\n#pragma swizzle instance h = 2\n#pragma swizzle check h = 5\n"
      "__global__ void f(const float* x, float* y, int h) {{\n  const int lane = threadIdx.x;\n"
      "  const float v = x[blockIdx.x * 32 + lane];\n  float s = v, q = v * v;\n"
      "  for (int d = 1; d < {}; d *= 2) {{\n    s += __shfl_sync(~0u, s, ?sw_xform(lane, 32, d));\n"
      "    q += __shfl_sync(~0u, q, ?sw_xform(lane, 32, d));\n  }}\n  y[blockIdx.x * 32 + lane] = {};\n}}\n",
      n.steps, n.norm);
  const std::string spec = fmt::format(
      "void f(const float* x, float* y, int h) {{\n  for (int r = 0; r < h; r++) {{\n    float s = 0, q = 0;\n"
      "    for (int c = 0; c < 32; c++) {{ s += x[32 * r + c]; q += x[32 * r + c] * x[32 * r + c]; }}\n"
      "    for (int c = 0; c < 32; c++) {{ const float v = x[32 * r + c]; y[32 * r + c] = {}; }}\n  }}\n}}\n",
      n.of_spec.empty() ? n.norm : n.of_spec);
  return run_sketch({"", kernel, spec, !kRuns, n.flags});
}

TEST(Norms, AreFoundAndProvedToCostLeast) {
  const ToolResult r = run_norm({"(v - s / 32) * rsqrtf(q / 32 - s / 32 * (s / 32) + 1e-5f)"});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved");
}

TEST(Norms, OfTooFewStepsAreInfeasible) {
  EXPECT_EQ(run_norm({"v * rsqrtf(q + 3)", "", 16, "--no-suggestions"}).report["outcome"], "infeasible");
}

// y[i] = y[i - 1] / 2 + x[i] / 2: what a lane multiplies by is a constant that holes choose.
TEST(Norms, ThatDecayAreFound) {
  const ToolResult r = run_sketch(
      {"",
       "__global__ void f(const float* x, float* y, int n) {\n  const int t = threadIdx.x;\n  float f = 0.5f, v = 0.5f * x[t];\n"
       "  for (int d = 1; d < 32; d *= 2) {\n    const int s = ?sw_xform(t, 32, d);\n"
       "    const float w = __shfl_sync(~0u, v, s), g = __shfl_sync(~0u, f, s);\n"
       "    if (?sw_cond(t, d)) { v = v + f * w; f = f * g; }\n  }\n  y[t] = v;\n}\n",
       "void f(const float* x, float* y, int n) {\n  float s = 0;\n"
       "  for (int i = 0; i < n; i++) { s = 0.5f * s + 0.5f * x[i]; y[i] = s; }\n}\n"});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
}

// Which no form says, and no input refutes.
TEST(Norms, ThatAreTheSameFunctionAreNotExcluded) {
  EXPECT_EQ(run_norm({"v * expf(s) * expf(q)", "v * expf(s + q)", 32, "--time-limit=1"}).report["outcome"], "unknown");
}

}  // namespace
}  // namespace swizzle::test::norms_test
