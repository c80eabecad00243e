#include "synth/trials/claims.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::claims_test {
namespace {

class Claims : public testing::Test {
 protected:
  Value function(std::uint32_t which, const std::vector<Value>& operands) {
    return b_.problem.provenance.opaque(kOpaqueIntrinsic + which, Scalar::kF32, operands);
  }
  Value minus(Value v) { return b_.problem.provenance.unary(Operator::kNegate, Scalar::kF32, v); }
  std::vector<Claim> claims(Value actual, Value expected) {
    return claims_of(b_.problem.provenance, b_.problem.equations[b_.equation(actual, expected)]);
  }

  ProblemBuilder b_{Ring::kSum, Scalar::kF32};
  const HoleId p_ = b_.transform(2);
  const Value open_ = b_.choice(b_.at(p_, 0), {b_.x(0), b_.x(1)});
};

TEST_F(Claims, OfAFunctionAreThoseOfItsOperands) {
  const std::vector<Claim> found = claims(function(1, {function(2, {b_.sum({b_.x(2), minus(open_)})}), b_.x(3)}),
                                          function(1, {function(2, {b_.sum({b_.x(2), minus(b_.x(1))})}), b_.x(3)}));
  ASSERT_EQ(found.size(), 4u);  // f(g(x - m), x), g(x - m), x - m, m; of x[3], nothing is open
  EXPECT_TRUE(found[0].is_output);
  EXPECT_EQ(found[1].expected, function(2, {b_.sum({b_.x(2), minus(b_.x(1))})}));
  EXPECT_FALSE(found[1].is_output);
  EXPECT_EQ(found[3].actual, b_.normal(open_));
  EXPECT_EQ(found[3].expected, b_.x(1));
}

TEST_F(Claims, OfAnOpenTermAreScaledWhereNothingIsRounded) {
  const auto times = [&](double factor, Value v) { return b_.product(Value::real(factor), v); };
  const std::vector<Claim> found =
      claims(b_.sum({b_.x(2), times(-0.25, open_)}), b_.sum({b_.x(2), times(-0.25, b_.x(1))}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].actual, b_.normal(open_));
  EXPECT_EQ(found[1].expected, b_.x(1));
  EXPECT_EQ(claims(b_.sum({b_.x(2), times(0.1, open_)}), b_.sum({b_.x(2), times(0.1, b_.x(1))})).size(), 1u);
}

TEST_F(Claims, OfTwoOpenTermsAreNotTakenApart) {
  const Value other = b_.choice(b_.at(p_, 1), {b_.x(4), b_.x(5)});
  EXPECT_EQ(claims(b_.sum({open_, minus(other)}), b_.sum({b_.x(0), minus(b_.x(4))})).size(), 1u);
}

TEST_F(Claims, OfMultiplesOfAFunctionAreThoseOfItAndOfTheRest) {
  const Value other = b_.choice(b_.at(p_, 1), {b_.x(4), b_.x(5)});
  const auto multiple = [&](Value of, Value v) { return b_.product(b_.sum({b_.x(2), minus(of)}), function(1, {v})); };
  const std::vector<Claim> found = claims(multiple(open_, other), multiple(b_.x(1), b_.x(4)));
  ASSERT_EQ(found.size(), 5u);  // the product, f(other), other, x - open, open
  EXPECT_EQ(found[1].expected, function(1, {b_.x(4)}));
  EXPECT_EQ(found[2].expected, b_.x(4));
  EXPECT_EQ(found[4].actual, b_.normal(open_));
  EXPECT_EQ(found[4].expected, b_.x(1));
  // What it is multiplied by may have the function, too; or something is added to the product.
  const Value with_it = b_.choice(b_.at(p_, 0), {b_.x(0), function(1, {b_.x(1)})});
  EXPECT_EQ(claims(multiple(with_it, other), multiple(b_.x(1), b_.x(4))).size(), 1u);
  EXPECT_EQ(claims(b_.sum({multiple(open_, other), open_}), b_.sum({multiple(b_.x(1), b_.x(4)), b_.x(1)})).size(), 1u);
}

TEST_F(Claims, OfAProductAreThoseOfItsSumsWhereTheseAreOfDifferentBuffers) {
  const auto of = [&](std::size_t at, Value v, Value w) { return b_.choice(b_.at(p_, at), {v, w}); };
  const Value wanted = b_.product(b_.sum({b_.x(0), b_.x(1)}), b_.sum({b_.a(0), b_.a(1)}));
  const auto found = [&](Value x, Value a) {
    return claims(b_.product(b_.sum({b_.x(0), x}), b_.sum({b_.a(0), a})), wanted);
  };
  const std::vector<Claim> both = found(of(0, b_.x(1), b_.x(2)), of(1, b_.a(1), b_.a(2)));
  ASSERT_EQ(both.size(), 5u);  // the product, each sum, and what is open of it
  EXPECT_EQ(both[1].expected, b_.normal(b_.sum({b_.x(0), b_.x(1)})));
  EXPECT_EQ(both[2].expected, b_.x(1));
  EXPECT_EQ(both[4].expected, b_.a(1));
  // Half of one may be twice the other; and elements of both.
  EXPECT_EQ(found(of(0, b_.x(1), b_.product(Value::real(0.5), b_.x(1))), of(1, b_.a(1), b_.a(2))).size(), 1u);
  EXPECT_EQ(found(of(0, b_.x(1), b_.a(1)), of(1, b_.a(1), b_.a(2))).size(), 1u);
  EXPECT_EQ(claims(b_.product(Value::real(2), b_.product(b_.sum({b_.x(0), of(0, b_.x(1), b_.x(2))}), b_.a(0))),
                   b_.product(Value::real(2), b_.product(b_.sum({b_.x(0), b_.x(1)}), b_.a(0))))
                .size(),
            1u);
}

TEST_F(Claims, OfASumWithOneFunctionAreThoseOfItAndOfTheRest) {
  const Value other = b_.choice(b_.at(p_, 1), {b_.x(4), b_.x(5)});
  const std::vector<Claim> found =
      claims(b_.sum({open_, function(1, {other})}), b_.sum({b_.x(1), function(1, {b_.x(4)})}));
  ASSERT_EQ(found.size(), 4u);  // the sum, f(other), other, open
  EXPECT_EQ(found[2].expected, b_.x(4));
  EXPECT_EQ(found[3].actual, b_.normal(open_));
  EXPECT_EQ(found[3].expected, b_.x(1));
  const Value with_it = b_.choice(b_.at(p_, 0), {b_.x(0), function(1, {b_.x(1)})});
  EXPECT_EQ(claims(b_.sum({with_it, function(1, {other})}), b_.sum({b_.x(1), function(1, {b_.x(4)})})).size(), 1u);
}

// What each brings of its own buffer is told by itself, unless one of them may have a constant.
TEST_F(Claims, OfASumAreThoseOfItsBuffers) {
  const Value of_a = b_.choice(b_.at(p_, 1), {b_.a(0), b_.a(1)});
  const auto twice = [&](Value v) { return b_.product(Value::real(2), v); };
  const std::vector<Claim> found =
      claims(b_.sum({b_.x(2), open_, minus(twice(of_a))}), b_.sum({b_.x(2), b_.x(1), minus(twice(b_.a(1)))}));
  ASSERT_EQ(found.size(), 5u);  // all, that of x, open, that of a, of_a
  EXPECT_EQ(found[2].actual, b_.normal(open_));
  EXPECT_EQ(found[2].expected, b_.x(1));
  EXPECT_EQ(found[4].actual, b_.normal(of_a));
  EXPECT_EQ(found[4].expected, b_.a(1));
  const Value or_one = b_.choice(b_.at(p_, 0), {b_.x(0), Value::real(1)});
  EXPECT_EQ(claims(b_.sum({or_one, of_a}), b_.sum({b_.x(0), b_.a(1)})).size(), 1u);
}

// Words wrap around: 3 · 0xaaaaaaab is 1. Coefficients this large do not come of a few steps.
TEST(ClaimsOfWords, OfAProductAreThoseOfItsSumsWhereTheseAreSmall) {
  ProblemBuilder b;
  const HoleId p = b.transform(2);
  const Value of_x = b.choice(b.at(p, 0), {b.x(0), b.x(1)}), of_a = b.choice(b.at(p, 1), {b.a(0), b.a(1)});
  const auto claims = [&](Value factor) {
    return claims_of(b.problem.provenance,
                     b.problem.equations[b.equation(
                         b.product(b.normal(b.sum({b.x(2), b.product(factor, of_x)})), b.normal(b.sum({b.a(2), of_a}))),
                         b.product(b.normal(b.sum({b.x(2), b.x(1)})), b.normal(b.sum({b.a(2), b.a(1)}))))]);
  };
  const std::vector<Claim> found = claims(Value::integer(1));
  ASSERT_EQ(found.size(), 5u);  // the product, both sums, and what is open in each
  EXPECT_EQ(found[2].expected, b.x(1));
  EXPECT_EQ(claims(Value::integer(0xaaaaaaab)).size(), 1u);
}

TEST_F(Claims, OfDifferentFunctionsAreNotTakenApart) {
  EXPECT_EQ(claims(function(1, {open_}), function(2, {b_.x(0)})).size(), 1u);
  EXPECT_EQ(claims(function(1, {open_}), function(1, {b_.x(0), b_.x(1)})).size(), 1u);
}

TEST_F(Claims, OfWhatIsKnownAreNone) { EXPECT_TRUE(claims(b_.x(0), b_.x(1)).empty()); }

}  // namespace
}  // namespace swizzle::claims_test
