#include "synth/search/monomial_degrees.h"

#include <gtest/gtest.h>

#include "synth/search/necessary_issues.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::monomial_degrees_test {
namespace {

constexpr auto kAnything = [](PointId, std::size_t) { return true; };

class MonomialDegrees : public testing::Test {
 protected:
  Value minus(Value v) { return b_.product(Value::real(-1), v); }
  std::optional<Degrees> attained(Value v) { return attained_degrees(b_.problem.provenance, v); }
  Degrees bounds(Value v) { return DegreeBounds(b_.problem.provenance, kAnything).of(v); }

  ProblemBuilder b_{Ring::kSum, Scalar::kF32};
};

void expect(const std::optional<Degrees>& degrees, int least, int most) {
  ASSERT_TRUE(degrees);
  EXPECT_EQ(degrees->least, least);
  EXPECT_EQ(degrees->most, most);
}

TEST_F(MonomialDegrees, AreThoseOfTheProductsOfASum) {
  const Value v = b_.sum({b_.x(1), b_.product(b_.sum({b_.x(0), minus(b_.x(1))}), b_.a(1))});
  expect(attained(v), 1, 2);
  expect(bounds(v), 1, 2);
  expect(attained(Value::integer(7)), 0, 0);
}

TEST_F(MonomialDegrees, CountNothingThatCancels) {
  const Value square = b_.product(b_.sum({b_.x(0), b_.x(1)}), b_.sum({b_.x(0), b_.x(1)}));
  const Value v = b_.sum({b_.x(2), square, minus(square)});
  expect(attained(v), 1, 1);
  EXPECT_TRUE(bounds(v).contains({1, 1}));
}

TEST_F(MonomialDegrees, OfAChoiceAreThoseOfAllThatItMayBe) {
  const HoleId p = b_.transform(3);
  const Value v = b_.choice(b_.at(p, 0), {b_.x(0), b_.product(b_.x(0), b_.a(1)), Value::integer(0)});
  expect(bounds(v), 1, 2);
  expect(DegreeBounds(b_.problem.provenance, [](PointId, std::size_t value) { return value == 1; }).of(v), 2, 2);
}

TEST_F(MonomialDegrees, OfWhatIsNoSumOfProductsAreUnknown) {
  const Value v = b_.problem.provenance.binary(Operator::kDiv, Scalar::kF32, b_.x(0), b_.x(1));
  EXPECT_FALSE(attained(v));
  EXPECT_TRUE(bounds(v).contains({0, 100}));
}

// A coefficient of 256 is none of a byte, one of 2^31 and more may be none of an integer.
TEST_F(MonomialDegrees, AreUnknownWhereCoefficientsMayWrapAround) {
  Value v = b_.x(0);
  for (int doubled = 0; doubled < 31; ++doubled) v = b_.sum({v, v});
  EXPECT_FALSE(attained(b_.normal(b_.sum({v, v}))) && attained(b_.normal(b_.sum({v, v})))->most == 1);
  ProblemBuilder bytes(Ring::kSum, Scalar::kU8);
  const Value many = bytes.product(Value::integer(200), bytes.x(0));
  EXPECT_FALSE(attained_degrees(bytes.problem.provenance, bytes.sum({many, bytes.x(1)})));
}

// Two steps, each of which multiplies or adds; the last output is a product of both steps, the first a plain sum.
TEST_F(MonomialDegrees, ShowThatAStepIsIssuedAndThatItIsLeftOut) {
  const HoleId multiplies = b_.condition(2, 2);
  std::vector<Value> v{b_.x(0), b_.x(1)};
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t lane = 0; lane < 2; ++lane)
      v[lane] = b_.choice(b_.at(multiplies, 2 * k + lane),
                          {v[lane], b_.normal(b_.product(v[lane], b_.a(static_cast<std::int64_t>(k))))});
  b_.equation(v[0], b_.x(0));
  b_.equation(v[1], b_.product(b_.product(b_.x(1), b_.a(0)), b_.a(1)));
  for (std::size_t k = 0; k < 2; ++k) {
    GuardedIssue issue{{}, {.multiplies = 1}};
    for (std::size_t lane = 0; lane < 2; ++lane)
      issue.guards.push_back(b_.choice(b_.at(multiplies, 2 * k + lane), {Value::integer(0), Value::integer(1)}));
    b_.problem.guarded.push_back(std::move(issue));
  }
  const GuardedIssues issues(b_.problem, {});
  EXPECT_EQ(NecessaryIssues(b_.problem, {0}, issues).cost(0), 0);
  EXPECT_EQ(NecessaryIssues(b_.problem, {0, 1}, issues).cost(0), 2 * IssueCosts().multiply);
}

}  // namespace
}  // namespace swizzle::monomial_degrees_test
