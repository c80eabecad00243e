// Maxima and minima side by side, each by steps of its own.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::extremes_test {
namespace {

// Five steps, each by a distance of its own, of lane 0.
std::string reduced(const std::string& hi, const std::string& lo, const std::string& stored) {
  return fmt::format(
      "  int hi = x[t], lo = x[t];\n#pragma unroll\n  for (int k = 0; k < 5; k++) {{\n"
      "    hi = {}(hi, __shfl_xor_sync(~0u, hi, ?sw_const(1, 32, k)));\n"
      "    lo = {}(lo, __shfl_xor_sync(~0u, lo, ?sw_const(1, 32, k)));\n  }}\n  if (t == 0) {{ {} }}\n",
      hi, lo, stored);
}

std::string spec_of(const std::string& stored) {
  return fmt::format(
      "void f(const int* x, int* y, int n) {{\n  int h = x[0], l = x[0];\n"
      "  for (int i = 1; i < 32; i++) {{ h = x[i] > h ? x[i] : h; l = x[i] < l ? x[i] : l; }}\n  {}\n}}\n",
      stored);
}

void expect_proved(const Sketch& sketch) {
  const ToolResult r = run_sketch(sketch);
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
}

TEST(Extremes, SideBySideAreFound) {
  expect_proved({"", reduced("max", "min", "y[0] = hi; y[1] = lo;"), spec_of("y[0] = h; y[1] = l;"), kRuns});
  expect_proved({"", reduced("max", "max", "y[0] = hi; y[1] = lo;"), spec_of("y[0] = y[1] = h;")});
  expect_proved({"", reduced("max", "min", "y[0] = hi - lo;"), spec_of("y[0] = h - l;"), kRuns});
  expect_proved({"", reduced("min", "max", "y[0] = 3 * hi + lo;"), spec_of("y[0] = 3 * l + h;")});
}

// Of narrow integers, which C compares as wider ones, as all that lanes exchange in five steps.
TEST(Extremes, OfNarrowIntegersAreFoundInAnyForm) {
  for (const std::string type : {"short", "signed char"})
    for (const char* step : {"v = v < w ? w : v;", "if (w > v) v = w;", "v = max(v, w);", "v = (v >= w) ? v : w;"}) {
      const std::string kernel = fmt::format(
          "#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 32\n"
          "__global__ void f(const {0}* x, {0}* y, int n) {{\n  const int t = threadIdx.x;\n"
          "  {0} v = x[blockIdx.x * 32 + t];\n  for (int d = 16; d > 0; d /= 2) {{\n"
          "    const {0} w = __shfl_sync(~0u, v, ?sw_xor(t, 32, d));\n    {1}\n  }}\n"
          "  y[blockIdx.x * 32 + t] = v;\n}}\n",
          type, step);
      const std::string spec = fmt::format(
          "void f(const {0}* x, {0}* y, int n) {{\n  for (int b = 0; b < n; b += 32) {{\n    {0} m = x[b];\n"
          "    for (int k = 1; k < 32; k++) if (x[b + k] > m) m = x[b + k];\n"
          "    for (int k = 0; k < 32; k++) y[b + k] = m;\n  }}\n}}\n",
          type);
      const ScratchFolder scratch;
      const ToolResult r = run_tool(
          fmt::format("'{}' --spec '{}' --run=none", scratch.write("k.cu", kernel), scratch.write("s.cpp", spec)));
      EXPECT_EQ(r.exit_code, 0) << step << r.output;
      EXPECT_EQ(r.report["optimality"], "proved") << step;
    }
}

// Each of them alone is no more than that.
TEST(Extremes, OfTooFewStepsAreInfeasible) {
  std::string four = reduced("max", "min", "y[0] = hi - lo;");
  four.replace(four.find("k < 5"), 5, "k < 4");
  EXPECT_EQ(run_sketch({"", four, spec_of("y[0] = h - l;")}).exit_code, 10);
}

// The greater and the smaller of two are the two: a sum, as well.
TEST(Extremes, OfTwoAddUpToTheirSum) {
  const ToolResult r = run_sketch(
      {"",
       "  const int other = __shfl_xor_sync(~0u, x[t], ?sw_const(0, 8)), another = __shfl_xor_sync(~0u, x[t], "
       "?sw_const(0, 8));\n  y[t] = max(x[t], other) + min(x[t], another);\n",
       "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i ^ 1]; }\n"});
  EXPECT_TRUE(r.exit_code == 0 || r.exit_code == 20) << r.exit_code << r.output;
}

}  // namespace
}  // namespace swizzle::test::extremes_test
