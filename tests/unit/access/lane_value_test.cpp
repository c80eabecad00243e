#include "synth/access/lane_value.h"

#include <gtest/gtest.h>

namespace swizzle {
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

TEST(LaneValue, DataAndRealsAreUnknown) {
  EXPECT_TRUE(binary(Operator::kAdd, Scalar::kI32, threads(), LaneValue()).is_unknown());
  EXPECT_TRUE(binary(Operator::kAdd, Scalar::kF32, threads(), threads()).is_unknown());
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
}  // namespace swizzle
