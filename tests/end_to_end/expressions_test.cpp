// Holes that may become any expression: ?sw_expr and ?sw_pred.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::expressions_test {
namespace {

class Expressions : public testing::TestWithParam<Sketch> {};

TEST_P(Expressions, AreFoundRereadAndRun) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Each, Expressions,
                         testing::Values(Sketch{"Dilated", R"(
#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x - lane;
  auto rc = load(x, first, 1, 2);
  int out = 0;
  for (int q = 0; q < 3; q++)
    out += (q + 1) * __shfl_sync(~0u, rc[?sw_expr(0, 2, lane, q)], ?sw_expr(0, 32, lane, q));
  y[first + lane] = out;
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 2 * x[i + 3] + 3 * x[i + 6]; }
)",
                                                kRuns},
                                         Sketch{"Strided", R"(
#pragma swizzle launch grid(n / 32) block(32)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int i = threadIdx.x, warp = blockIdx.x;
  auto r = load(x, 64 * warp, 1, 2);
  int out = 0;
  for (int k = 0; k < 2; k++) {
    const int from = ?sw_expr(0, 32, i, k);
    const int low = __shfl_sync(~0u, r[0], from), high = __shfl_sync(~0u, r[1], from);
    out += (1 + k) * (?sw_pred(i, k) ? high : low);
  }
  y[32 * warp + i] = out;
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[2 * i] + 2 * x[2 * i + 1]; }
)"},
                                         Sketch{"Between", R"(
  int v = x[t];
  if (?sw_pred(t)) v = 0;
  y[t] = v;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i > 3 && i < 20 ? 0 : x[i]; }
)"},
                                         Sketch{"FromBelowZero", R"(
  y[t] = x[t + ?sw_expr(-31, 32, t)];
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }
)"}),
                         [](const auto& info) { return std::string(info.param.name); });

// The price of what is printed: 32 - 1 - t costs one operation, and no expression costs less.
TEST(Expressions, AreTheCheapest) {
  const ToolResult r =
      run_sketch({"", "  y[t] = __shfl_sync(~0u, x[t], ?sw_expr(0, 32, t));\n",
                  "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }\n"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["integer_ops"], 1) << r.kernel;
}

// Constants inside go further than the arguments: lanes 1, 6, 5 are (5 >> k) ^ 4, and 100, 50, 25, 12 are 100 >> k.
TEST(Expressions, HaveConstantsThatNoArgumentReaches) {
  const auto integer_ops = [](const char* line, const char* spec) {
    const ToolResult r = run_sketch({"", line, spec});
    EXPECT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.report["optimality"], "proved");
    return r.report["cost"]["integer_ops"].get<int>();
  };
  EXPECT_EQ(integer_ops("  for (int k = 0; k < 3; k++) y[3 * t + k] = x[?sw_expr(0, 8, k)];\n",
                        "void f(const int* x, int* y, int n) {\n  const int of[3] = {1, 6, 5};\n"
                        "  for (int i = 0; i < 3 * n; i++) y[i] = x[of[i % 3]];\n}\n"),
            3 * 2);
  EXPECT_EQ(integer_ops("  for (int k = 0; k < 4; k++) y[4 * t + k] = x[?sw_expr(0, 128, k)];\n",
                        "void f(const int* x, int* y, int n) {\n  const int of[4] = {100, 50, 25, 12};\n"
                        "  for (int i = 0; i < 4 * n; i++) y[i] = x[of[i % 4]];\n}\n"),
            4);
}

// A predicate may be a choice as well: t == 2 ? 1 : k.
TEST(Expressions, OfPredicatesAreChoicesToo) {
  const ToolResult r = run_sketch(
      {"",
       "  int s = 0;\n  for (int k = 0; k < 2; k++) {\n    if (?sw_pred(t, k)) s += x[t + 32 * k];\n  }\n  y[t] = s;\n",
       "void f(const int* x, int* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = i == 2 ? x[i] + x[i + 32] : x[i + 32];\n}\n"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["cost"]["integer_ops"], 2 * 2) << r.kernel;
}

// '/' and '%' by what is no power of two, of an argument or of one operation, with one operation around; i, which
// blocks decide, as well. What costs more than some that were not tried is not said to be the least.
TEST(Expressions, DivideByAnyNumber) {
  struct Quotient {
    const char *line, *of, *optimality;
  };
  for (const auto& [line, of, optimality] :
       {Quotient{"y[t] = x[?sw_expr(0, 32, t)];", "i % 5", "proved"},
        Quotient{"y[t] = x[?sw_expr(0, 32, t)];", "i % 5 + 1", "best_found"},
        Quotient{"y[t] = x[?sw_expr(0, 32, t)];", "(i + 17) % 24", "best_found"},
        Quotient{"y[t] = x[?sw_expr(0, 32, t)];", "i / 7 * 7", "best_found"},
        Quotient{"y[t] = ?sw_pred(t) ? x[t] : x[0];", "i % 3 == 0 ? i : 0", "best_found"},
        Quotient{"y[t + blockIdx.x] = x[?sw_expr(0, 6, t + blockIdx.x)];", "i % 6", "proved"}}) {
    const ToolResult r = run_sketch(
        {"", fmt::format("  {}\n", line),
         fmt::format("void f(const int* x, int* y, int n) {{ for (int i = 0; i < n; i++) y[i] = x[{}]; }}\n", of)});
    EXPECT_EQ(r.exit_code, 0) << of << r.output;
    EXPECT_EQ(r.report["optimality"], optimality) << of << r.kernel;
  }
}

// (lane & ~1) + 1 is printed as, and costs as much as, what it is.
TEST(Expressions, FillLowBitsByOneOperation) {
  const ToolResult r =
      run_sketch({"", "  y[t] = __shfl_sync(~0u, x[t], ?sw_xform(t, 32));\n",
                  "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i / 4 * 4 + 3]; }\n"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["cost"]["integer_ops"], 1) << r.kernel;
  EXPECT_NE(r.kernel.find("t | 3"), std::string::npos) << r.kernel;
}

// No value of the hole will do: that is a proof. No expression that was tried will do: that is none.
TEST(Expressions, ThatWereNotTriedAreNotSaidToBeNone) {
  const ToolResult impossible = run_sketch({"", "  y[t] = __shfl_sync(~0u, x[t], ?sw_expr(0, 16, t));\n"});
  EXPECT_EQ(impossible.exit_code, 10) << impossible.output;
  const ToolResult scattered = run_sketch(
      {"", "  y[t] = __shfl_sync(~0u, x[t], ?sw_expr(0, 32, t));\n",
       "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i * i * i + 7 * i / 5 + (i ^ 11) * 3) % 32]; }\n"});
  EXPECT_EQ(scattered.exit_code, 20) << scattered.output;
  EXPECT_NE(scattered.output.find("operations was tried for the ?sw_expr at "), std::string::npos) << scattered.output;
}

// Where the hole's own grammar has no completion, the note says which expression is one.
TEST(Expressions, AreNamedWhereAGrammarHasNone) {
  const ToolResult r = run_sketch(
      {"", "  int v = x[t];\n  if (?sw_cond(t)) v = 0;\n  y[t] = v;\n",
       "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int v = x[i]; y[i] = i & 4 ? 0 : v; } }\n"});
  EXPECT_EQ(r.exit_code, 10);
  EXPECT_NE(r.output.find("with ?sw_pred(t) here there is a completion: "), std::string::npos) << r.output;
}

// Rotary embeddings: whose sign is turned.
TEST(Expressions, AreNamedWhereOneSummandMayHaveEitherSign) {
  const ToolResult r = run_sketch(
      {"",
       "__global__ void f(const float* x, const float* c, const float* s, float* y, int n) {\n"
       "  const int t = threadIdx.x;\n  const float v = x[t], other = __shfl_sync(~0u, v, ?sw_xform(t, 32));\n"
       "  y[t] = v * c[t / 2] + (?sw_cond(t, 0) ? other : -other) * s[t / 2];\n}\n",
       "void f(const float* x, const float* c, const float* s, float* y, int n) {\n"
       "  for (int p = 0; p < n / 2; p++) {\n    y[2 * p] = x[2 * p] * c[p] - x[2 * p + 1] * s[p];\n"
       "    y[2 * p + 1] = x[2 * p + 1] * c[p] + x[2 * p] * s[p];\n  }\n}\n"});
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_NE(r.output.find("with ?sw_pred(t, 0) here there is a completion: t & 1"), std::string::npos) << r.output;
}

// With --widen that expression is taken at once, in the hole that stands there and in no other.
TEST(Expressions, TakeTheHolesPlaceIfAsked) {
  const ScratchFolder scratch;
  const std::string sketch = scratch.write(
      "sketch.cu",
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
      "__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x, v = x[t];\n  if (?sw_cond(t)) v = 0;\n"
      "  y[t] = __shfl_sync(~0u, v, ?sw_xform(t, 32));\n}\n");
  const std::string spec = scratch.write(
      "spec.cpp",
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int v = x[n - 1 - i]; y[i] = i & 4 ? v : 0; } }\n");
  EXPECT_EQ(run_tool(fmt::format("'{}' --spec '{}' --run=none", sketch, spec)).exit_code, 10);
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=cpu --widen", sketch, spec));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["outcome"], "found");
  EXPECT_EQ(r.report["holes"][0]["kind"], "sw_pred");
  EXPECT_EQ(r.report["holes"][1]["kind"], "sw_xform");
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
}

// In rounds they are too many to be listed: those are found that a ?sw_xform, a ?sw_xor and a ?sw_cond have as well,
// whatever the order of the arguments.
TEST(Expressions, OfRoundsAreFoundInSmallerGrammars) {
  struct Round {
    const char *step, *spec, *expression;
  };
  const Round rounds[] = {
      {"const int w = __shfl_sync(~0u, v, ?sw_expr(0, 32, d, t));\n    if (?sw_pred(t, d)) v += w;",
       "int s = 0; for (int k = 0; k <= i; k++) s += x[k]; y[i] = s;", "(t - d) & 31"},
      {"v += __shfl_sync(~0u, v, ?sw_expr(0, 32, t, d));",
       "int s = 0; for (int k = 0; k < 32; k++) s += x[k]; y[i] = s;", "(t + d) & 31"},
      {"const int w = __shfl_sync(~0u, v, ?sw_expr(0, 32, t, d));\n    v = ?sw_pred(t % (2 * d), d) ? w - v : v + w;",
       "int s = 0; for (int k = 0; k < 32; k++) s += __builtin_popcount(i & k) % 2 ? -x[k] : x[k]; y[i] = s;",
       "t ^ d"}};
  for (const Round& round : rounds) {
    const ScratchFolder scratch;
    const std::string sketch = scratch.write(
        "sketch.cu", fmt::format("#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
                                 "__global__ void f(const int* x, int* y, int n) {{\n  int t = threadIdx.x, v = x[t];\n"
                                 "  for (int d = 1; d < 32; d *= 2) {{\n    {}\n  }}\n  y[t] = v;\n}}\n",
                                 round.step));
    const std::string spec = scratch.write(
        "spec.cpp",
        fmt::format("void f(const int* x, int* y, int n) {{ for (int i = 0; i < n; i++) {{ {} }} }}\n", round.spec));
    const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=cpu --first", sketch, spec));
    ASSERT_EQ(r.exit_code, 0) << round.step << r.output;
    EXPECT_EQ(r.report["holes"][0]["expression"], round.expression);
    EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  }
}

// Rows of triangles: the outputs tell the condition at each of its points, so that no larger expression is another one.
TEST(Expressions, ThatAreDecidedEverywhereCostLeast) {
  const ToolResult r = run_sketch(
      {"",
       "__global__ void f(const int* a, const int* x, int* y, int n) {\n  const int t = threadIdx.x, row = t & 7;\n"
       "  int s = 0;\n  for (int k = 0; k < 8; k++) {\n    const int v = __shfl_sync(~0u, x[t], (t & ~7) + k);\n"
       "    if (?sw_pred(row, k)) s += a[8 * row + k] * v;\n  }\n  y[t] = s;\n}\n",
       "void f(const int* a, const int* x, int* y, int n) {\n  for (int i = 0; i < n; i++) {\n    int s = 0;\n"
       "    for (int k = 0; k <= i % 8; k++) s += a[8 * (i % 8) + k] * x[i - i % 8 + k];\n    y[i] = s;\n  }\n}\n"});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved") << r.output;
}

}  // namespace
}  // namespace swizzle::test::expressions_test
