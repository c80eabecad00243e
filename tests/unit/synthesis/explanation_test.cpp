#include "synth/synthesis/explanation.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/search/solve.h"

namespace swizzle::explanation_test {
namespace {

// Why f(const int* x, int* y) of this body, on 8 lanes, never equals y[i] = `expected`.
std::string explanation(const std::string& body, const std::string& expected) {
  const auto sketch = parse_kernel(
      SourceText(
          "a.cu",
          "#pragma swizzle launch grid(1) block(8)\n#pragma swizzle extent x(32)\n__global__ void f(const int* x, int* y) {\n  int t = threadIdx.x;\n" +
              body + "\n}\n"),
      "");
  const auto spec = parse_spec(
      SourceText("a.cpp", "void f(const int* x, int* y) { for (int i = 0; i < 8; i++) y[i] = " + expected + "; }\n"),
      "f");
  EXPECT_TRUE(sketch.ok()) << render(sketch.errors()[0]);
  EXPECT_TRUE(spec.ok()) << render(spec.errors()[0]);
  Problem problem;
  EXPECT_TRUE(pose(*sketch, *spec, {}, problem).ok());
  collect_holes(*sketch, problem);
  const Solution solution = solve(problem, {});
  EXPECT_EQ(solution.outcome, Outcome::kInfeasible);
  return explain_infeasible(problem, *sketch, solution.reason, {});
}

TEST(Explanation, NamesAnInputThatIsNotThere) {
  EXPECT_EQ(explanation("  y[t] = __shfl_sync(255, x[t], ?sw_xform(t, 8));", "x[i + 1]"),
            "y[7], written by thread 7, needs x[8], which no choice of the holes brings there");
}

TEST(Explanation, TellsTheFewestPointsThatContradictEachOther) {
  EXPECT_EQ(
      explanation("  y[t] = x[?sw_xform(t, 8)];", "x[i == 3 ? 5 : i]"),
      "the ?sw_xform at 5:12 must be 1 for t = 1, 2 for 2 and 5 for 3, and no grouping, fanning and rotation of its arguments is all of that; "
      "y[1], written by thread 1, comes through it");
}

// Of the lanes that an output might come from, those that its other holes leave.
TEST(Explanation, NamesAnOutputThatThePointsDecide) {
  EXPECT_EQ(
      explanation("  int r[2] = {x[t], x[8 + t]};\n  y[t] = __shfl_sync(255, r[?sw_xor(0, 2, t)], ?sw_xform(t, 8));",
                  "x[i + (i > 4 ? 8 : 0)]"),
      "the ?sw_xor at 6:29 must be 0 for (0, t) = (0, 4), 1 for (0, 5) and 1 for (0, 6), and no XOR of its index with bits of its "
      "arguments is all of that; y[4], written by thread 4, comes through it");
}

TEST(Explanation, TellsOfAConditionOnSeveralArguments) {
  const std::string text = explanation("  y[t] = ?sw_cond(t, t / 4) ? x[t] : 0;", "i % 2 ? x[i] : 0");
  EXPECT_EQ(text.rfind("the ?sw_cond at 5:10 must be ", 0), 0u) << text;
  EXPECT_NE(text.find(" for (t, t / 4) = ("), std::string::npos) << text;
  EXPECT_NE(text.find("and no condition on its arguments is all of that"), std::string::npos) << text;
}

TEST(Explanation, TriesTheTablesOfAHoleThatDecidesTheOthers) {
  const std::string text =
      explanation("  int a = x[?sw_xform(t, 8)];\n  y[t] = __shfl_sync(255, a, ?sw_xform(t, 8));", "x[i == 3 ? 5 : i]");
  EXPECT_NE(text.find("fails with each of the "), std::string::npos) << text;
  EXPECT_NE(text.find(", which comes closest, "), std::string::npos) << text;
}

TEST(Explanation, WithoutTimeIsWhatTheSearchSays) {
  Problem problem;
  const auto sketch = parse_kernel(
      SourceText(
          "a.cu",
          "#pragma swizzle launch grid(1) block(8)\n__global__ void f(const int* x, int* y) { y[threadIdx.x] = x[?sw_xform(threadIdx.x, 8)]; }\n"),
      "");
  const auto spec = parse_spec(
      SourceText("a.cpp", "void f(const int* x, int* y) { for (int i = 0; i < 8; i++) y[i] = x[i == 3 ? 5 : i]; }\n"),
      "f");
  ASSERT_TRUE(sketch.ok() && spec.ok());
  ASSERT_TRUE(pose(*sketch, *spec, {}, problem).ok());
  collect_holes(*sketch, problem);
  EXPECT_EQ(explain_infeasible(problem, *sketch, "what the search says", Deadline(-1)), "what the search says");
}

TEST(Lack, CountsInputsByOutput) {
  Problem problem;
  const auto sketch = parse_kernel(
      SourceText(
          "a.cu",
          "#pragma swizzle launch grid(1) block(8)\n__global__ void f(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }\n"),
      "");
  const auto spec = parse_spec(
      SourceText(
          "a.cpp",
          "void f(const int* x, int* y) { for (int i = 0; i < 8; i++) y[i] = x[i] + (i > 5 ? x[0] * x[1] : 0); }\n"),
      "f");
  ASSERT_TRUE(sketch.ok() && spec.ok());
  ASSERT_TRUE(pose(*sketch, *spec, {}, problem).ok());
  EXPECT_EQ(lack_of(problem).inputs, 4u);
  EXPECT_EQ(lack_of(problem).first.equation, 6u);
}

}  // namespace
}  // namespace swizzle::explanation_test
