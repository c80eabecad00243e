// Nothing is emitted, and nothing is paid, that does nothing for the values that a hole's arguments take.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::dead_code_test {
namespace {

struct Lean {
  const char *name, *body, *spec_index, *text;
  int block;
  double integer_ops;
};

// y[t] = x[…] by 4 or 8 threads, the index a hole's: 8 · block elements.
Sketch sketch_of(const Lean& lean) {
  const std::string block = std::to_string(lean.block);
  return {"",
          "#pragma swizzle launch grid(1) block(" + block +
              ")\n#pragma swizzle instance n = 64\n"
              "__global__ void f(const int* x, int* y, int n) {\n  const int t = threadIdx.x;\n" +
              lean.body + "}\n",
          "void f(const int* x, int* y, int n) { for (int t = 0; t < " + block +
              "; t++) for (int k = 0; k < 3; k++) y[" + block + " * k + t] = x[" + lean.spec_index + "]; }\n",
          kRuns};
}

class LeanHoles : public testing::TestWithParam<Lean> {};

TEST_P(LeanHoles, HaveNoMoreThanTheirValuesNeed) {
  const Sketch sketch = sketch_of(GetParam());
  expect_verified(sketch);
  const ToolResult r = run_sketch(sketch);
  EXPECT_EQ(r.report["holes"][0]["expression"], GetParam().text) << r.kernel;
  EXPECT_EQ(r.report["cost"]["integer_ops"], GetParam().integer_ops) << r.kernel;
}

constexpr const char* kOfT = "  for (int k = 0; k < 3; k++) y[8 * k + t] = x[?sw_xform(t, 8)];\n";
constexpr const char* kOfTAndK = "  for (int k = 0; k < 3; k++) y[4 * k + t] = x[?sw_xform(t, 6, k)];\n";

INSTANTIATE_TEST_SUITE_P(Transformations, LeanHoles,
                         testing::Values(Lean{"Quotient", kOfT, "t / 4", "t >> 2", 8, 3},
                                         Lean{"WrappedQuotient", kOfT, "(t / 4 + 1) % 2", "((t >> 2) + 1) & 1", 8, 9},
                                         Lean{"Argument", kOfTAndK, "k", "k", 4, 0},
                                         Lean{"QuotientOfSix", kOfTAndK, "t / 2", "t >> 1", 4, 3},
                                         Lean{"Sum", kOfTAndK, "t + k", "t + k", 4, 3},
                                         Lean{"SumThatWraps", kOfTAndK, "(t + k + 1) % 6", "(t + k + 1) % 6", 4, 18},
                                         Lean{"Constant", kOfT, "5", "5", 8, 0},
                                         Lean{"Reversal", kOfTAndK, "5 - t", "5 - t", 4, 3}),
                         [](const auto& info) { return std::string(info.param.name); });

// At other sizes there are other blocks than the one that is posed: what they need stays.
TEST(LeanHoles, KeepWhatOtherSizesNeed) {
  const Sketch sketch{"",
                      "#pragma swizzle launch grid(n / 8) block(8)\n#pragma swizzle instance n = 16\n"
                      "#pragma swizzle check n = 128\n__global__ void f(const int* x, int* y, int n) {\n"
                      "  const int t = threadIdx.x, b = blockIdx.x;\n  y[b * 8 + t] = x[?sw_xform(t, 8, b)];\n}\n",
                      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i / 8 % 8]; }\n",
                      kRuns};
  expect_verified(sketch);
  EXPECT_NE(run_sketch(sketch).kernel.find("b & 7"), std::string::npos);
}

// Of the lane's two halves, one turns the registers by one: that is one step of a barrel shifter, and no remainder.
TEST(LeanShifters, HaveNoStepThatNeverTurns) {
  const Sketch sketch{"",
                      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
                      "__global__ void f(const int* x, int* y, int n) {\n  const int t = threadIdx.x, half = t >> 4;\n"
                      "  int r[3];\n#pragma unroll\n  for (int j = 0; j < 3; j++) r[j] = x[n * j + t];\n"
                      "#pragma unroll\n  for (int j = 0; j < 3; j++) y[n * j + t] = r[?sw_xform(j, 3, half)];\n}\n",
                      "void f(const int* x, int* y, int n) { for (int t = 0; t < n; t++) for (int j = 0; j < 3; j++) "
                      "y[n * j + t] = x[n * ((j + t / 16) % 3) + t]; }\n",
                      kRuns};
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_EQ(kernel.find("half % 3"), std::string::npos) << kernel;
  EXPECT_EQ(kernel.find("half & 2"), std::string::npos) << kernel;
  EXPECT_EQ(kernel.find("r_turned"), std::string::npos) << kernel;
  EXPECT_NE(kernel.find("half & 1 ? r["), std::string::npos) << kernel;
}

// A line that ends in a backslash goes on in the next.
TEST(Shifters, StandBeforeAPragmaOfTwoLines) {
  const Sketch sketch{"",
                      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
                      "__global__ void f(const int* x, int* y, int n) {\n  const int t = threadIdx.x;\n"
                      "  int r[3];\n#pragma unroll\n  for (int j = 0; j < 3; j++) r[j] = x[n * j + t];\n"
                      "#pragma\\\n unroll\n  for (int j = 0; j < 3; j++) y[n * j + t] = r[?sw_xform(j, 3, t)];\n}\n",
                      "void f(const int* x, int* y, int n) { for (int t = 0; t < n; t++) for (int j = 0; j < 3; j++) "
                      "y[n * j + t] = x[n * ((j + t) % 3) + t]; }\n",
                      kRuns};
  expect_verified(sketch);
  EXPECT_NE(run_sketch(sketch).kernel.find("#pragma\\\n unroll\n  for"), std::string::npos);
}

TEST(Shifters, StandOnALineOfTheirOwnBehindOneThatGoesOn) {
  const Sketch sketch{
      "",
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
      "__global__ void f(const int* x, int* y, int n) {\n  const int t = threadIdx.x;\n"
      "  int r[3];\n#pragma unroll\n  for (int j = 0; j < 3; j++) r[j] = x[n * j + t];\n  if (n > 0)\\\n"
      "  for (int j = 0; j < 3; j++) y[n * j + t] = r[?sw_xform(j, 3)];\n}\n",
      "void f(const int* x, int* y, int n) { for (int t = 0; t < n; t++) for (int j = 0; j < 3; j++) "
      "y[n * j + t] = x[n * (2 - j) + t]; }\n",
      kRuns};
  expect_verified(sketch);
  EXPECT_NE(run_sketch(sketch).kernel.find("if (n > 0)\\\n\n#pragma unroll\n  for"), std::string::npos);
}

TEST(DecidedConditions, LeaveTheRestOfAConditionAsItIs) {
  const ToolResult r = run_sketch(
      {"",
       "  int a = 0, b = 0;\n  if (?sw_cond(t) && t < n) a = x[t];\n  if ((t < n || n > 3) && ?sw_cond(t)) b = 1;\n"
       "  y[t] = (?sw_cond(t) ||\n    a > 3) ? a + b : 2;\n",
       "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] > 3 ? x[i] + 1 : 2; }\n", kRuns});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  for (const char* line :
       {"  if (t < n) a = x[t];\n", "  if ((t < n || n > 3)) b = 1;\n", "  y[t] = (a > 3) ? a + b : 2;\n"})
    EXPECT_NE(r.kernel.find(line), std::string::npos) << line << r.kernel;
}

TEST(Directives, OfTwoLinesBecomeACommentOfOne) {
  const Sketch sketch{"",
                      "#pragma swizzle launch \\\n  grid(1) block(32)\n#pragma swizzle instance n =\\\n 32\n"
                      "__global__ void f(const int* x, int* y, int n) {\n  const int t = threadIdx.x;\n"
                      "  y[t] = x[?sw_xform(t, 32)];\n}\n"};
  expect_verified(sketch);
  EXPECT_NE(run_sketch(sketch).kernel.find("// swizzle launch   grid(1) block(32)\n// swizzle instance n = 32\n"),
            std::string::npos);
}

TEST(Directives, EndAWordAtABackslashThatIsNotTheLast) {
  const Sketch sketch{"",
                      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
                      "#pragma swizzle extent\\\\\nx(n)\n__global__ void f(const int* x, int* y, int n) {\n"
                      "  const int t = threadIdx.x;\n  y[t] = x[?sw_xform(t, 32)];\n}\n"};
  expect_verified(sketch);
  EXPECT_NE(run_sketch(sketch).kernel.find("// swizzle extent x(n)\n"), std::string::npos);
}

TEST(Directives, AreNoCommentsOfTheUsers) {
  const Sketch sketch{"",
                      "// swizzle launch grid(n / 64) as in the paper\n#pragma swizzle launch grid(1) block(32)\n"
                      "#pragma swizzle instance n = 32\n__global__ void f(const int* x, int* y, int n) {\n"
                      "  const int t = threadIdx.x;\n  y[t] = x[?sw_xform(t, 32)];\n}\n"};
  expect_verified(sketch);
  EXPECT_NE(
      run_sketch(sketch).kernel.find("// - swizzle launch grid(n / 64) as in the paper\n// swizzle launch grid(1)"),
      std::string::npos);
}

struct Named {
  const char *name, *declarations, *lane;
};

class LaneNames : public testing::TestWithParam<Named> {};

TEST_P(LaneNames, StandWhereLoadNeedsTheLane) {
  const Sketch sketch{
      "",
      std::string("#pragma swizzle launch grid(n / 64) block(64)\n#pragma swizzle instance n = 64\n"
                  "__global__ void f(const int* x, int* y, int n) {\n") +
          GetParam().declarations +
          "  const int base = blockIdx.x * 64 + threadIdx.x / 32 * 32;\n  auto r = load(x, base, 1, 1);\n"
          "  y[base + threadIdx.x % 32] = __shfl_sync(~0u, r[0], ?sw_xform(threadIdx.x % 32, 32));\n}\n",
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i ^ 31]; }\n", kRuns};
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find(std::string("r[0] = x[base + ") + GetParam().lane + "];"), std::string::npos) << kernel;
}

// magic_get()'s holes are written in the same words.
class LaneNamesOfHoles : public testing::TestWithParam<Named> {};

TEST_P(LaneNamesOfHoles, StandForTheLane) {
  const Sketch sketch{
      "",
      std::string("#include <cooperative_groups.h>\n#pragma swizzle launch grid(n / 64) block(64)\n"
                  "#pragma swizzle instance n = 64\n__device__ int lane_of() { return threadIdx.x & 31; }\n"
                  "__global__ void f(const int* x, int* y, int n) {\n") +
          GetParam().declarations +
          "  const int base = blockIdx.x * 64 + threadIdx.x / 32 * 32;\n  auto r = load(x, base, 1, 2);\n"
          "  int s = 0;\n  for (int k = 0; k < 3; k++) { int v = magic_get(r); s += v; }\n"
          "  y[blockIdx.x * 64 + threadIdx.x] = s;\n}\n",
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i + 1] + x[i + 2]; }\n",
      kRuns};
  expect_verified(sketch);
  const std::string kernel = run_sketch(sketch).kernel;
  EXPECT_NE(kernel.find(std::string("(") + GetParam().lane + " + k) & 31"), std::string::npos) << kernel;
}

INSTANTIATE_TEST_SUITE_P(
    Declared, LaneNamesOfHoles,
    testing::Values(Named{"ByAnUnsigned", "  unsigned lane = threadIdx.x & 31;\n", "int(lane)"},
                    Named{"ByALocalOfALocal", "  int t = threadIdx.x; int lane = t % 32;\n", "lane"},
                    Named{"ByADifference", "  int lane = threadIdx.x - threadIdx.x / 32 * 32;\n", "lane"},
                    Named{"ByShifts", "  const short lane = (threadIdx.x << 27) >> 27;\n", "lane"},
                    Named{"ByAFunction", "  const int lane = lane_of();\n", "lane"},
                    Named{"ByATile",
                          "  const int lane = cooperative_groups::tiled_partition<32>("
                          "cooperative_groups::this_thread_block()).thread_rank();\n",
                          "lane"},
                    Named{"ThatChanges", "  int lane = threadIdx.x % 32;\n  lane = lane + 1;\n",
                          "int(threadIdx.x & 31)"},
                    Named{"OfHalfAWarp", "  const int lane = threadIdx.x % 16;\n", "int(threadIdx.x & 31)"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Declared, LaneNames,
    testing::Values(Named{"ByARemainder", "  const int lane = threadIdx.x % warpSize;\n", "lane"},
                    Named{"ByAVariable", "  int t = threadIdx.x, low = t & 31;\n", "low"},
                    Named{"ByAnUnsigned", "  const unsigned lane = threadIdx.x & 31u;\n", "int(lane)"},
                    Named{"ByADifference", "  const int lane = threadIdx.x - threadIdx.x / 32 * 32;\n", "lane"},
                    Named{"ByAChoice", "  const int t = threadIdx.x, lane = t < 32 ? t : t - 32;\n", "lane"},
                    Named{"ByANarrowOne", "  const unsigned char lane = threadIdx.x % 32;\n", "lane"},
                    Named{"ByAWideOne", "  const long lane = threadIdx.x % 32;\n", "int(lane)"},
                    Named{"ThatChanges", "  int lane = threadIdx.x % 32;\n  lane = lane + 1;\n",
                          "int(threadIdx.x % 32)"},
                    Named{"ThatIsNoLane", "  const int t = threadIdx.x;\n", "int(threadIdx.x % 32)"},
                    Named{"InAnotherBlock", "  if (n > 0) { const int lane = threadIdx.x % 32; (void)lane; }\n",
                          "int(threadIdx.x % 32)"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::test::dead_code_test
