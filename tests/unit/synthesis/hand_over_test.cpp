#include "synth/synthesis/hand_over.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/problem/problem.h"

namespace swizzle::hand_over_test {
namespace {

// The bodies of a kernel f(const int* x, int* y) on few lanes that know their `lane`, and of its spec, which y[i] is.
struct Pair {
  int lanes;
  std::string kernel, spec;
};

class Posed {
 public:
  explicit Posed(const Pair& pair) {
    const std::string parameters = "(const int* x, int* y) {\n";
    sketch_ = *parse_kernel(
        SourceText("a.cu", fmt::format("#pragma swizzle launch grid(1) block({})\n#pragma swizzle extent x(64)\n"
                                       "__global__ void f{}  const int lane = threadIdx.x;\n{}\n}}\n",
                                       pair.lanes, parameters, pair.kernel)),
        "");
    const std::string body = fmt::format("  for (int i = 0; i < {}; i++) {}\n}}\n", pair.lanes, pair.spec);
    const auto spec = parse_spec(SourceText("a.cpp", "void f" + parameters + body), "f");
    EXPECT_TRUE(spec.ok() && pose(sketch_, *spec, {}, problem_).ok());
    collect_holes(sketch_, problem_);
  }

  // Of a search that ends at once.
  Solution by_z3(SolveOptions options = {}) {
    options.deadline = Deadline(60);
    return search_or_hand_over(sketch_, problem_, options, [](const SolveOptions&) { return Solution(); });
  }
  Solution by_search() { return solve(problem_, {}); }

 private:
  Program sketch_;
  Problem problem_;
};

const Pair kFound[] = {
    {8, "  y[lane] = __shfl_sync(~0u, x[lane], ?sw_xform(lane, 8));", "y[i] = x[(3 * i + 5) % 8];"},
    {8, "  y[lane] = __shfl_sync(~0u, x[lane + 8 * ?sw_part(2, lane)], ?sw_xor(lane, 8));",
     "y[i] = x[(i ^ 5) < 3 ? i ^ 5 : (i ^ 5) + 8];"},
    {8,
     "  int v = x[lane];\n  for (int d = 1; d < 8; d *= 2) v += __shfl_sync(~0u, v, ?sw_xor(lane, 8, d));\n  y[lane] = v;",
     "{ int s = 0; for (int k = 0; k < 8; k++) s += x[k]; y[i] = s; }"},
    {8,
     "  int v = x[lane];\n  for (int d = 1; d < 8; d *= 2) {\n    const int w = __shfl_sync(~0u, v, ?sw_xform(lane, 8, d));\n    if (?sw_cond(lane, d)) v = max(v, w);\n  }\n  y[lane] = v;",
     "{ int s = x[0]; for (int k = 1; k <= i; k++) s = x[k] > s ? x[k] : s; y[i] = s; }"},
    {16, "  y[lane] = x[?sw_xform(lane, 16)] ^ x[?sw_xor(lane, 16)];", "y[i] = x[(i + 5) % 16] ^ x[i ^ 9];"},
};

class HandedOver : public testing::TestWithParam<Pair> {};

TEST_P(HandedOver, CostsWhatTheSearchProves) {
  Posed posed(GetParam());
  const Solution searched = posed.by_search(), handed = posed.by_z3();
  ASSERT_EQ(searched.optimality, Optimality::kProved);
  ASSERT_EQ(handed.outcome, Outcome::kFound) << handed.reason;
  EXPECT_EQ(handed.optimality, Optimality::kProved);
  EXPECT_EQ(handed.completions[0].cost.total, searched.completions[0].cost.total);
}

INSTANTIATE_TEST_SUITE_P(Of, HandedOver, testing::ValuesIn(kFound));

const Pair kLinears = {
    32,
    "  int v = x[lane];\n  for (int k = 0; k < 2; k++) v = __shfl_sync(~0u, v, ?sw_linear(lane, 32, k));\n  y[lane] = v;",
    "y[i] = x[(i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | i >> 4];"};

TEST(HandOver, FindsLinearMapsThatAreTooManyToList) {
  const Solution handed = Posed(kLinears).by_z3();
  ASSERT_EQ(handed.outcome, Outcome::kFound) << handed.reason;
  EXPECT_EQ(handed.optimality, Optimality::kBestFound);
}

TEST(HandOver, TellsThatNoLinearMapsDo) {
  Pair pair = kLinears;
  pair.spec = "y[i] = x[(i + 1) % 32];";
  EXPECT_EQ(Posed(pair).by_z3().outcome, Outcome::kInfeasible);
}

TEST(HandOver, FindsNothingForLess) {
  SolveOptions options;
  options.below = Posed(kFound[0]).by_search().completions[0].cost.total;
  EXPECT_EQ(Posed(kFound[0]).by_z3(options).outcome, Outcome::kInfeasible);
}

// What Z3 is told of an expression is that it has values.
TEST(HandOver, FindsTheExpressionOfValues) {
  const Pair pair = {8, "  y[lane] = x[?sw_expr(0, 16, lane)];", "y[i] = x[2 * i + 1];"};
  const Solution handed = Posed(pair).by_z3();
  ASSERT_EQ(handed.outcome, Outcome::kFound) << handed.reason;
  EXPECT_EQ(handed.optimality, Optimality::kBestFound);
  EXPECT_EQ(handed.completions[0].tables[0].integer_ops, 2);
}

TEST(HandOver, DoesNotSayThatThereIsNoExpression) {
  const Pair pair = {8, "  y[lane] = x[?sw_expr(0, 16, lane)];", "y[i] = x[(0x51f3a2c6 >> 4 * i) & 15];"};
  EXPECT_EQ(Posed(pair).by_z3().outcome, Outcome::kUnknown);
}

TEST(HandOver, IsNotAskedForSeveral) {
  SolveOptions options;
  options.all = 3;
  EXPECT_EQ(Posed(kFound[0]).by_z3(options).outcome, Outcome::kUnknown);
}

}  // namespace
}  // namespace swizzle::hand_over_test
