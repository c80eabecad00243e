// Holes that decide where a store goes: to global memory, to shared memory, to registers; with guards, with several
// stores, by two holes.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::stores_test {
namespace {

TEST(Stores, WithoutATableAreExplainedByOutputAndHole) {
  const ToolResult r = run_pair("infeasible_scatter", "--run=none");
  ASSERT_EQ(r.exit_code, 10) << r.output;
  const std::string reason = r.report["reason"];
  EXPECT_NE(reason.find("the ?sw_xform at 7:13 must be"), std::string::npos) << reason;
  EXPECT_NE(reason.find("no grouping, fanning and rotation of its arguments is all of that"), std::string::npos)
      << reason;
  EXPECT_NE(reason.find("y[0], written by thread"), std::string::npos) << reason;
}

constexpr const char* kReversed =
    "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[31 - i] = x[i]; }\n";

std::string block_of(int threads, const std::string& body) {
  return fmt::format(
      "#pragma swizzle launch grid(1) block({0})\n#pragma swizzle instance n = {0}\n__global__ void f(const int* x, int* y, int n) {{\n  int t = threadIdx.x;\n{1}\n}}\n",
      threads, body);
}

class Scatters : public testing::TestWithParam<Sketch> {};
TEST_P(Scatters, AreVerified) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, Scatters,
    testing::Values(
        Sketch{
            "ASum", "  y[?sw_xform(t, 32)] = x[t] + x[(t + 1) & 31];",
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[31 - i] = x[i] + x[(i + 1) % 32]; }\n",
            kRuns},
        Sketch{
            "AShuffle", "  y[?sw_xform(t, 32)] = __shfl_sync(~0u, x[t], ?sw_xform(t, 32));",
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i % 8 * 4 + i / 8] = x[31 - i]; }\n",
            kRuns},
        Sketch{"TwoHalves", "  if (t < 16) y[?sw_xform(t, 32)] = x[t];\n  else y[?sw_xform(t, 32)] = x[t];", kReversed,
               kRuns},
        Sketch{"ByTwoHoles", "  y[?sw_part(2, t) * 16 + ?sw_xform(t & 15, 16)] = x[t];", kReversed, kRuns},
        Sketch{"Overwritten", "  y[?sw_xform(t, 32)] = -x[t];\n  y[?sw_xform(t, 32)] = x[t];", kReversed, kRuns},
        Sketch{"ByTwoWarps", block_of(64, "  y[?sw_xform(t & 31, 32)] = x[t & 31];"),
               "void f(const int* x, int* y, int n) { for (int i = 0; i < 32; i++) y[31 - i] = x[i]; }\n", kRuns},
        Sketch{"Of128Threads", block_of(128, "  y[?sw_xform(t, 128)] = x[t];"),
               "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i % 64 * 2 + i / 64] = x[i]; }\n",
               kRuns},
        Sketch{
            "ATileOfTwoIndices",
            "  __shared__ int tile[4][8];\n  tile[?sw_xform(t / 8, 4)][?sw_xform(t % 8, 8)] = x[t];\n  __syncthreads();\n  y[t] = tile[t / 8][t % 8];",
            kReversed, kRuns},
        Sketch{
            "ReadTwice",
            block_of(
                64,
                "  __shared__ int s[64];\n  s[?sw_xform(t, 64)] = x[t];\n  __syncthreads();\n  y[t] = s[?sw_xform(t, 64)];\n  y[64 + t] = s[t] + s[?sw_xform(t, 64)];"),
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { y[i] = x[n - 1 - i]; y[n + i] = x[i] + x[(i + 32) % 64]; } }\n",
            kRuns}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Stores, OfWhatTheSpecHasNowhereAreToldByThreadAndSlot) {
  const ToolResult r = run_sketch(Sketch{
      "",
      "#pragma swizzle extent x(32)\n__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x;\n  y[?sw_xform(t & 15, 16)] = x[t];\n}\n",
      "void f(const int* x, int* y, int n) { for (int i = 0; i < 16; i++) y[i] = x[i]; }\n"});
  ASSERT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.report["reason"].get<std::string>().find("thread 16 stores x[16] to 'y[0]', where the spec has x[0]"),
            std::string::npos)
      << r.output;
}

}  // namespace
}  // namespace swizzle::test::stores_test
