#include "synth/provenance/reducible.h"

#include <gtest/gtest.h>

namespace swizzle::reducible_test {
namespace {

class ReducibleTest : public testing::Test {
 protected:
  Value input(std::int64_t i) { return provenance_.input(BufferId(std::size_t{0}), i, Scalar::kI32); }
  Value choice(Value a, Value b) { return provenance_.choice(PointId(std::size_t{0}), {a, b}); }
  Value number(std::int64_t i) { return Value::integer(i); }
  Value binary(Operator op, Value a, Value b) {
    return provenance_.normalize(provenance_.binary(op, Scalar::kI32, a, b));
  }

  Provenance provenance_;
  Reducible reducible_{provenance_};
};

TEST_F(ReducibleTest, AChoiceWithAConstantMayBecomeOne) {
  EXPECT_TRUE(reducible_.to_constant(choice(input(0), number(3))));
  EXPECT_FALSE(reducible_.to_constant(choice(input(0), input(1))));
  EXPECT_TRUE(reducible_.to_zero(choice(input(0), number(0))));
  EXPECT_FALSE(reducible_.to_zero(choice(input(0), number(3))));
}

TEST_F(ReducibleTest, AFunctionOfConstantsMayBecomeOne) {
  EXPECT_TRUE(reducible_.function(binary(Operator::kDiv, choice(input(0), number(6)), choice(number(2), number(3)))));
  EXPECT_FALSE(reducible_.function(binary(Operator::kDiv, choice(input(0), number(6)), input(1))));
  EXPECT_FALSE(reducible_.function(binary(Operator::kDiv, choice(input(0), input(1)), number(2))));
}

TEST_F(ReducibleTest, AShiftOfDataMayBecomeAProduct) {
  EXPECT_TRUE(reducible_.function(binary(Operator::kShl, input(0), choice(number(0), number(3)))));
}

TEST_F(ReducibleTest, AComparisonOfEqualsMayBecomeTrue) {
  EXPECT_TRUE(reducible_.to_constant(binary(Operator::kEq, input(0), choice(input(0), input(1)))));
  EXPECT_FALSE(reducible_.to_constant(binary(Operator::kLt, input(0), choice(input(0), input(1)))));
}

TEST_F(ReducibleTest, WhatIsBehindThePointOfDataStaysCutOff) {
  const auto cut = [&](Value v) { return provenance_.convert(v, Scalar::kF32, Scalar::kI32); };
  EXPECT_FALSE(reducible_.to_constant(cut(choice(input(0), input(1)))));
  EXPECT_TRUE(reducible_.to_constant(cut(choice(input(0), Value::real(1.5)))));
}

TEST_F(ReducibleTest, ASumMayBecomeAConstantWhereItsTermsVanish) {
  EXPECT_TRUE(reducible_.to_constant(
      binary(Operator::kAdd, binary(Operator::kMul, input(0), choice(number(0), number(1))), number(5))));
  EXPECT_FALSE(reducible_.to_constant(binary(Operator::kAdd, choice(input(0), number(4)), input(1))));
}

}  // namespace
}  // namespace swizzle::reducible_test
