#include "synth/search/dependent_steps.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::dependent_steps_test {
namespace {

// v = x[0]; if (C) v += x[1]; if (C) v' = v + (that of another lane); … : `levels` guards, each of what the last
// decided.
bool is_found(int levels) {
  ProblemBuilder b(Ring::kSum, Scalar::kF32);
  const HoleId c = b.condition(levels);
  Value v = b.x(0);
  for (int l = 0; l < levels; ++l) v = b.sum({b.x(l + 1), b.when(b.at(c, static_cast<std::size_t>(l)), v)});
  b.equation(v, b.x(0));
  return has_dependent_steps(b.problem, {0});
}

TEST(DependentSteps, AreGuardedSumsOfGuardedSumsOfGuardedSums) {
  EXPECT_FALSE(is_found(1));
  EXPECT_FALSE(is_found(2));
  EXPECT_TRUE(is_found(3));
}

TEST(DependentSteps, AreNotGuardedProductsOfFetches) {
  ProblemBuilder b(Ring::kSum, Scalar::kF32);
  const HoleId p = b.transform(2), c = b.condition(2);
  std::vector<Value> terms;
  for (std::size_t k = 0; k < 2; ++k) {
    const Value fetched = b.choice(b.at(p, k), {b.x(0), b.x(1)});
    terms.push_back(b.when(b.at(c, k), b.product(fetched, b.a(0))));
  }
  b.equation(b.sum(terms), b.x(0));
  EXPECT_FALSE(has_dependent_steps(b.problem, {0}));
}

TEST(DependentSteps, AreFetchesOfSums) {
  ProblemBuilder b(Ring::kSum, Scalar::kF32);
  const HoleId p = b.transform(2), q = b.transform(2);
  std::vector<Value> v;
  for (std::size_t l = 0; l < 2; ++l)
    v.push_back(b.sum({b.x(static_cast<std::int64_t>(l)), b.choice(b.at(p, l), {b.x(0), b.x(1)})}));
  b.equation(b.choice(b.at(q, 0), v), b.x(0));
  EXPECT_TRUE(has_dependent_steps(b.problem, {0}));
}

// f(f(… v …, v), v) of one choice v: as many as v has, however deep it is.
TEST(MoreWaysThanTables, AreNotThoseOfAFunctionThatHasOneFetchAgainAndAgain) {
  ProblemBuilder b(Ring::kSum, Scalar::kU32);
  const HoleId p = b.transform(8);
  const Value fetched = b.choice(b.at(p, 0), {b.x(0), b.x(1)});
  Value deep = fetched;
  for (int level = 0; level < 64; ++level)
    deep = b.problem.provenance.opaque(kOpaqueIntrinsic, Scalar::kU32, {deep, deep});
  b.equation(deep, b.x(0));
  EXPECT_FALSE(has_more_ways_than_tables(b.problem, {0}));
}

}  // namespace
}  // namespace swizzle::dependent_steps_test
