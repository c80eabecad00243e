#include "synth/proof/polynomial.h"

#include <gtest/gtest.h>

namespace swizzle::polynomial_test {
namespace {

const Polynomial a = Polynomial::atom(1), b = Polynomial::atom(2);

TEST(Polynomial, HasOneNormalForm) {
  EXPECT_EQ((a + b) * (a - b), a * a - b * b);
  EXPECT_EQ(a * b, b * a);
  EXPECT_EQ((a - a).value(), 0);
  EXPECT_EQ((a * Polynomial(64) + Polynomial(5)).coefficient(1), 64);
  EXPECT_FALSE((a + Polynomial(1)).is_constant());
}

TEST(Polynomial, IsDividedWithARestThatTheDivisorDoesNotDivide) {
  const auto [quotient, rest] = (a * Polynomial(64) + b * Polynomial(3) + Polynomial(70)).divided(64);
  EXPECT_EQ(quotient, a + Polynomial(1));
  EXPECT_EQ(rest, b * Polynomial(3) + Polynomial(6));
  const auto negative = (Polynomial(0) - Polynomial(1)).divided(4);
  EXPECT_EQ(negative.quotient.value(), -1);
  EXPECT_EQ(negative.rest.value(), 3);
}

TEST(Polynomial, TakesAPolynomialForAnAtom) {
  EXPECT_EQ((a * a + b).with(1, b + Polynomial(1)), b * b + b * Polynomial(3) + Polynomial(1));
  EXPECT_EQ(b.with(1, Polynomial(7)), b);
}

TEST(Polynomial, IsBrokenBeyond64BitsAndFourFactors) {
  EXPECT_TRUE((Polynomial(INT64_MAX) * a * Polynomial(2)).is_broken());
  EXPECT_TRUE((a * a * a * a * a).is_broken());
  EXPECT_FALSE((a * a * a * a).is_broken());
  const Polynomial broken = Polynomial(INT64_MAX) * Polynomial(2);
  EXPECT_FALSE(broken == broken);
}

}  // namespace
}  // namespace swizzle::polynomial_test
