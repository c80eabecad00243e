#include "synth/trials/subtractions.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::subtractions_test {
namespace {

class Subtractions : public testing::Test {
 protected:
  Value minus(Value v) { return b_.problem.provenance.unary(Operator::kNegate, Scalar::kF32, v); }
  Sides sides_of(Value actual, Value expected) { return sides_of(actual, expected, Scalar::kF32); }
  Sides sides_of(Value actual, Value expected, Scalar scalar) {
    Equation equation;
    equation.actual = actual;
    equation.expected = expected;
    equation.scalar = scalar;
    return without_subtractions(b_.problem.provenance, equation);
  }

  ProblemBuilder b_{Ring::kSum, Scalar::kF32};
  const HoleId p_ = b_.transform(2);
  const Value fetched_ = b_.choice(b_.at(p_, 0), {b_.x(0), b_.x(1)});
};

TEST_F(Subtractions, AreAddedOnBothSides) {
  const Sides sides = sides_of(b_.sum({fetched_, minus(b_.x(2)), b_.x(3)}), b_.x(4));
  EXPECT_EQ(sides.actual, b_.normal(b_.sum({fetched_, b_.x(3)})));
  EXPECT_EQ(sides.expected, b_.normal(b_.sum({b_.x(2), b_.x(4)})));
}

TEST_F(Subtractions, OfWhatWasAddedLeaveNothing) {
  const Sides sides = sides_of(b_.sum({b_.x(2), fetched_, minus(b_.x(2))}), b_.x(4));
  EXPECT_EQ(sides.actual, b_.normal(fetched_));
  EXPECT_EQ(sides.expected, b_.x(4));
}

TEST_F(Subtractions, OfWhatIsOpenStay) {
  const Value actual = b_.sum({b_.x(2), minus(fetched_)});
  EXPECT_EQ(sides_of(actual, b_.x(4)).actual, actual);
}

TEST_F(Subtractions, OfAnotherTypeStay) {
  const Value actual = b_.sum({fetched_, minus(b_.x(2))});
  EXPECT_EQ(sides_of(actual, b_.x(4), Scalar::kI32).actual, actual);
}

}  // namespace
}  // namespace swizzle::subtractions_test
