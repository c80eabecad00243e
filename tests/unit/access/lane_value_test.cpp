#include "synth/access/lane_value.h"

#include <gtest/gtest.h>

namespace swizzle::lane_value_test {
namespace {

LaneValue threads() { return LaneValue::varying({0, 1, 2, 3}); }

TEST(LaneValue, UniformsStayUniform) {
  const LaneValue v = binary(Operator::kMul, Scalar::kI32, LaneValue::uniform(6), LaneValue::uniform(7));
  ASSERT_TRUE(v.is_uniform());
  EXPECT_EQ(v.at(3), 42);
}

TEST(LaneValue, ArithmeticWrapsInItsType) {
  EXPECT_EQ(binary(Operator::kSub, Scalar::kU32, threads(), LaneValue::uniform(1)).at(0), 0xffffffff);
  EXPECT_EQ(binary(Operator::kSub, Scalar::kI32, threads(), LaneValue::uniform(1)).at(0), -1);
  EXPECT_EQ(binary(Operator::kAdd, Scalar::kI32, LaneValue::uniform(INT32_MAX), threads()).at(1), INT32_MIN);
  EXPECT_EQ(binary(Operator::kLt, Scalar::kU64, LaneValue::uniform(-1), LaneValue::uniform(1)).at(0), 0);
}

TEST(LaneValue, WhatIsUndefinedIsUnknownThere) {
  const LaneValue v = binary(Operator::kDiv, Scalar::kI32, LaneValue::uniform(12), threads());
  EXPECT_FALSE(v.knows(0));
  EXPECT_EQ(v.at(3), 4);
  EXPECT_TRUE(binary(Operator::kShl, Scalar::kI32, threads(), LaneValue::uniform(32)).is_unknown());
}

TEST(LaneValue, DataAreUnknown) {
  EXPECT_TRUE(binary(Operator::kAdd, Scalar::kI32, threads(), LaneValue()).is_unknown());
}

LaneValue real_threads() { return convert(threads(), Scalar::kI32, Scalar::kF32); }

TEST(LaneValue, RealsAreRoundedToTheirType) {
  const LaneValue third = binary(Operator::kDiv, Scalar::kF32, real_threads(), LaneValue::uniform_real(3));
  EXPECT_TRUE(third.is_real());
  const LaneValue back = binary(Operator::kDiv, Scalar::kF32, third, LaneValue::uniform_real(0.125));
  EXPECT_EQ(convert(back, Scalar::kF32, Scalar::kI32).find(1), 2);
  EXPECT_EQ(convert(back, Scalar::kF32, Scalar::kI32).find(2), 5);
  EXPECT_EQ(binary(Operator::kLt, Scalar::kF32, third, LaneValue::uniform_real(0.5)).find(2), 0);
  EXPECT_EQ(binary(Operator::kEq, Scalar::kF64, LaneValue::uniform_real(1.0 / 3), third).find(1), 0);  // of a float
  EXPECT_EQ(convert(unary(Operator::kNegate, Scalar::kF32, real_threads()), Scalar::kF32, Scalar::kI32).find(3), -3);
  EXPECT_EQ(convert(real_threads(), Scalar::kF32, Scalar::kBool).find(3), 1);
}

// x * 0.1f + y may be one operation, which rounds once.
TEST(LaneValue, ARoundedProductIsUnknown) {
  const LaneValue tenth = LaneValue::uniform_real(nearest(Scalar::kF32, 0.1));
  const LaneValue product = binary(Operator::kMul, Scalar::kF32, real_threads(), tenth);
  EXPECT_TRUE(product.knows(2));
  EXPECT_FALSE(product.knows(3));
}

TEST(LaneValue, WhatIsNoIntegerIsUnknownAsOne) {
  EXPECT_TRUE(binary(Operator::kAdd, Scalar::kI32, real_threads(), threads()).is_unknown());
  EXPECT_TRUE(binary(Operator::kAdd, Scalar::kF32, threads(), threads()).is_unknown());
  EXPECT_TRUE(convert(real_threads(), Scalar::kI32, Scalar::kI64).is_unknown());
  EXPECT_TRUE(convert(LaneValue::uniform_real(1e20), Scalar::kF32, Scalar::kI32).is_unknown());
  const Presences present = {Presence::kIn, Presence::kOut, Presence::kOut, Presence::kIn};
  EXPECT_TRUE(overwrite(threads(), real_threads(), present).is_unknown());
  EXPECT_TRUE(overwrite(LaneValue(), real_threads(), present).is_real());
}

TEST(LaneValue, WhoPerhapsWritesLeavesWhatDoesNotChange) {
  const Presences present = {Presence::kIn, Presence::kOut, Presence::kPerhaps, Presence::kPerhaps};
  const LaneValue v = overwrite(LaneValue::varying({9, 9, 9, 5}), LaneValue::uniform(5), present);
  EXPECT_EQ(v.find(0), 5);
  EXPECT_EQ(v.find(1), 9);
  EXPECT_EQ(v.find(2), std::nullopt);
  EXPECT_EQ(v.find(3), 5);
}

}  // namespace
}  // namespace swizzle::lane_value_test
