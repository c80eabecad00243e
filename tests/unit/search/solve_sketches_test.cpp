#include "synth/search/solve.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/tables/shared_tables.h"

namespace swizzle::solve_sketches_test {
namespace {

// y[i] = x[3 - i], or another element, on 4 lanes, through a shuffle whose lane is a hole.
class Reversal {
 public:
  explicit Reversal(const std::string& element = "3 - i")
      : sketch_(parse_kernel(SourceText("sketch.cu", R"(
#pragma swizzle launch grid(1) block(4)
__global__ void f(const int* x, int* y) {
  int t = threadIdx.x;
  y[t] = __shfl_sync(15, x[t], ?sw_xform(t, 4));
}
)"),
                             "")),
        spec_(parse_spec(SourceText("spec.cpp", "void f(const int* x, int* y) { for (int i = 0; i < 4; i++) y[i] = x[" +
                                                    element + "]; }"),
                         "f")) {}

  Result<Posed> pose(const Deadline& deadline = {}) {
    auto posed = swizzle::pose(*sketch_, *spec_, {}, problem_, deadline);
    if (posed.ok()) collect_holes(*sketch_, problem_);
    return posed;
  }
  Problem& problem() { return problem_; }

 private:
  Result<Program> sketch_, spec_;
  Problem problem_;
};

TEST(SolveSketches, FindsAndProvesTheCheapestTable) {
  Reversal reversal;
  ASSERT_TRUE(reversal.pose().ok());
  const Solution solution = solve(reversal.problem(), {});
  ASSERT_EQ(solution.outcome, Outcome::kFound);
  EXPECT_EQ(solution.optimality, Optimality::kProved);
  EXPECT_EQ(solution.completions[0].tables[0].values, (std::vector<std::int16_t>{3, 2, 1, 0}));
  EXPECT_EQ(solution.completions[0].cost.shuffles, 1);
}

// The body of a kernel f of 4 threads, and of its spec.
void expect_proved(const std::string& body, const std::string& spec_body) {
  const Result<Program> sketch = parse_kernel(SourceText("sketch.cu",
                                                         "#pragma swizzle launch grid(1) block(4)\n"
                                                         "#pragma swizzle extent x(8)\n"
                                                         "__global__ void f(const int* x, int* y) {\n"
                                                         "  const int t = threadIdx.x;\n" +
                                                             body + "}\n"),
                                              ""),
                        spec = parse_spec(SourceText("spec.cpp", "void f(const int* x, int* y) { " + spec_body + " }"),
                                          "f");
  Problem problem;
  const auto posed = pose(*sketch, *spec, {}, problem, {});
  ASSERT_TRUE(posed.ok()) << render(posed.errors()[0]);
  collect_holes(*sketch, problem);
  const Solution solution = solve(problem, {});
  EXPECT_EQ(solution.outcome, Outcome::kFound) << body << solution.reason;
  EXPECT_EQ(solution.optimality, Optimality::kProved);
}

// The outputs that alone would do to name each choice are not all that decide: y[4…7] tell what only they ask for, and
// of registers that are chosen alike for y[0…3], one choice serves all eight.
TEST(SolveSketches, WhatOutputsOfAnotherStepDemandIsNoLessDemanded) {
  expect_proved(R"(
  __shared__ int tile[4];
  tile[?sw_xor(t, 4)] = x[t];
  __syncthreads();
  int q[2];
  for (int k = 0; k < 2; k++) q[?sw_linear(k, 2, t)] = tile[3 - t];
  for (int k = 0; k < 2; k++) y[k * 4 + t] = q[k];
)",
                "for (int i = 0; i < 8; i++) y[i] = x[i % 4];");
  expect_proved(R"(
  __shared__ int tile[4];
  int r[2] = {x[t], x[t + 4]};
  tile[?sw_xor(t, 4)] = r[?sw_part(2, t)];
  __syncthreads();
  int s = tile[(t + 2) % 4];
  if (t < 2) s = tile[?sw_xor(t, 4)];
  y[t] = s;
)",
                "y[0] = x[3]; y[1] = x[2]; y[2] = x[2]; y[3] = x[3];");
}

// The dive ends among tables of one cost, and those it has not come to are tried all the same.
TEST(SolveSketches, WhatADiveLeavesIsTriedLater) {
  expect_proved(R"(
  int r[2] = {x[t], x[t + 4]};
  int s = 0;
  for (int k = 0; k < 2; k++) {
    int v = __shfl_sync(15, r[?sw_part(2, t, k)], ?sw_xform(t, 4, k));
    if (t % 2 == 0) s -= v;
  }
  y[t] = s;
)",
                "y[0] = -2 * x[4]; y[1] = 0; y[2] = -2 * x[5]; y[3] = 0;");
}

TEST(SolveSketches, ProblemsThatShareTablesAreSolvedAsIfAlone) {
  SolveOptions options;
  options.shared = std::make_shared<SharedTables>();
  const std::vector<std::pair<std::string, std::vector<std::int16_t>>> problems{
      {"3 - i", {3, 2, 1, 0}}, {"(i + 1) % 4", {1, 2, 3, 0}}, {"i", {0, 1, 2, 3}}, {"3 - i", {3, 2, 1, 0}}};
  for (const auto& [element, values] : problems) {
    Reversal reversal(element);
    const auto posed = reversal.pose();
    ASSERT_TRUE(posed.ok()) << render(posed.errors()[0]);
    const Solution solution = solve(reversal.problem(), options);
    ASSERT_EQ(solution.outcome, Outcome::kFound) << element;
    EXPECT_EQ(solution.completions[0].tables[0].values, values) << element;
  }
  EXPECT_EQ(options.shared->xforms.size(), 1u);
}

TEST(SolveSketches, ADeadlineThatHasPassedEndsInUnknown) {
  Reversal reversal;
  ASSERT_TRUE(reversal.pose().ok());
  SolveOptions options;
  options.deadline = Deadline(-1);
  const Solution solution = solve(reversal.problem(), options);
  EXPECT_EQ(solution.outcome, Outcome::kUnknown);
  EXPECT_EQ(solution.reason, "the time limit ended the search");
  EXPECT_TRUE(solution.completions.empty());
}

TEST(PoseSketches, ADeadlineThatHasPassedIsAnError) {
  Reversal reversal;
  const auto posed = reversal.pose(Deadline(-1));
  ASSERT_FALSE(posed.ok());
  EXPECT_NE(render(posed.errors()[0]).find("the time limit ended the execution here"), std::string::npos);
}

}  // namespace
}  // namespace swizzle::solve_sketches_test
