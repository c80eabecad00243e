#include "synth/problem/permutations.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"

namespace swizzle::permutations_test {
namespace {

constexpr const char* kSpec = "void f(const int* x, int* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = x[i];\n}\n";

Problem posed(const std::string& hole) {
  const auto sketch = parse_kernel(
      SourceText(
          "a.cu",
          "#pragma swizzle launch grid(1) block(4)\n__global__ void f(const int* x, int* y, int n) {\n  const int t = threadIdx.x;\n  __shared__ int tile[8];\n  for (int i = 0; i < 2; i++) tile[i * 4 + " +
              hole +
              "] = x[i * 4 + t];\n  __syncthreads();\n  for (int i = 0; i < 2; i++) y[i * 4 + t] = tile[i * 4 + t];\n}\n"),
      "");
  const auto spec = parse_spec(SourceText("a.cpp", kSpec), "f");
  Problem problem;
  EXPECT_TRUE(sketch.ok() && spec.ok());
  const auto at = pose(*sketch, *spec, {{"n", 8}}, problem);
  EXPECT_TRUE(at.ok());
  collect_holes(*sketch, problem);
  return problem;
}

PointId point(const Problem& problem, std::vector<std::int64_t> arguments) {
  for (std::size_t p = 0; p < problem.points.size(); ++p)
    if (problem.points.arguments(PointId(p)) == arguments) return PointId(p);
  return {};
}

TEST(Permutations, AnXorHasDifferentValuesAtDifferentIndices) {
  const Problem problem = posed("?sw_xor(t, 4, i)");
  EXPECT_TRUE(never_equal(problem, point(problem, {0, 1}), point(problem, {3, 1})));
  EXPECT_FALSE(never_equal(problem, point(problem, {0, 1}), point(problem, {0, 1})));
  EXPECT_FALSE(never_equal(problem, point(problem, {0, 1}), point(problem, {3, 0})));
}

TEST(Permutations, ATransformationMayNot) {
  const Problem problem = posed("?sw_xform(t, 4, i)");
  EXPECT_FALSE(never_equal(problem, point(problem, {0, 1}), point(problem, {3, 1})));
}

// Each two threads that store to a row could race: once for each row.
TEST(Permutations, WhatTheyFulfilIsNoRequirement) {
  Problem xored = posed("?sw_xor(t, 4, i)"), transformed = posed("?sw_xform(t, 4, i)");
  EXPECT_EQ(xored.requirements.size(), 2u * 6);
  drop_fulfilled(xored);
  drop_fulfilled(transformed);
  EXPECT_EQ(xored.requirements.size(), 0u);
  EXPECT_EQ(transformed.requirements.size(), 2u * 6);
}

// Two threads store with the same index: a race for any table.
TEST(Permutations, OtherRequirementsStay) {
  Problem problem = posed("?sw_xor(t / 2, 4, t % 2)");
  const std::size_t before = problem.requirements.size();
  drop_fulfilled(problem);
  EXPECT_EQ(before - problem.requirements.size(), 2u);
  EXPECT_GT(problem.requirements.size(), 0u);
}

}  // namespace
}  // namespace swizzle::permutations_test
