#include "synth/execution/arm_write.h"

#include <gtest/gtest.h>

namespace swizzle::arm_write_test {
namespace {

class ArmWrites : public testing::Test {
 protected:
  Value x(std::int64_t i) { return p_.input(BufferId(std::size_t{0}), i, Scalar::kI32); }
  Value less(Value a, Value b) { return p_.binary(Operator::kLt, Scalar::kI32, a, b); }
  Value both(Value a, Value b) { return p_.binary(Operator::kLogicalAnd, Scalar::kBool, a, b); }
  Value denied(Value a) { return p_.unary(Operator::kLogicalNot, Scalar::kBool, a); }
  Value select(Value c, Value a, Value b) { return p_.select(c, a, b, Scalar::kI32); }
  void expect_same(Value a, Value b) { EXPECT_EQ(p_.normalize(a), p_.normalize(b)); }

  Provenance p_;
  const Value c_ = less(x(0), x(1)), d_ = less(x(2), x(3)), outer_ = less(x(4), x(5));
};

TEST_F(ArmWrites, AreSeenInTheirArmAlone) {
  ArmWrite write(both(outer_, c_), x(6), x(7));
  EXPECT_EQ(write.seen_under(p_, both(outer_, c_), Scalar::kI32), x(6));
  EXPECT_EQ(write.seen_under(p_, both(both(outer_, c_), d_), Scalar::kI32), x(6));
  EXPECT_EQ(write.seen_under(p_, both(outer_, denied(c_)), Scalar::kI32), x(7));
  EXPECT_EQ(write.seen_under(p_, both(outer_, both(denied(c_), d_)), Scalar::kI32), x(7));
  EXPECT_FALSE(write.seen_under(p_, outer_, Scalar::kI32));
  EXPECT_FALSE(write.seen_under(p_, c_, Scalar::kI32));
  EXPECT_FALSE(write.seen_under(p_, d_, Scalar::kI32));
}

TEST_F(ArmWrites, OfBothArmsAreAChoice) {
  ArmWrite write(c_, x(6), x(7));
  ASSERT_TRUE(write.write(p_, denied(c_), x(8), Scalar::kI32));
  expect_same(write.seen(p_, Scalar::kI32), select(c_, x(6), x(8)));
}

TEST_F(ArmWrites, OfAllArmsNeedNothingBefore) {
  ArmWrite write(c_, x(6), {});
  EXPECT_TRUE(write.seen(p_, Scalar::kI32).is_undefined());
  ASSERT_TRUE(write.write(p_, both(denied(c_), d_), x(7), Scalar::kI32));
  EXPECT_TRUE(write.seen(p_, Scalar::kI32).is_undefined());
  ASSERT_TRUE(write.write(p_, both(denied(c_), denied(d_)), x(8), Scalar::kI32));
  expect_same(write.seen(p_, Scalar::kI32), select(c_, x(6), select(d_, x(7), x(8))));
}

TEST_F(ArmWrites, WithinAnArmChangeItsValueAlone) {
  ArmWrite write(c_, x(6), x(7));
  ASSERT_TRUE(write.write(p_, c_, x(8), Scalar::kI32));
  ASSERT_TRUE(write.write(p_, both(c_, d_), x(9), Scalar::kI32));
  expect_same(write.seen(p_, Scalar::kI32), select(c_, select(d_, x(9), x(8)), x(7)));
  EXPECT_EQ(write.seen_under(p_, denied(c_), Scalar::kI32), x(7));
}

// int t; if (c) { t = x[6]; … } if (d) { t = x[7]; … }
TEST_F(ArmWrites, OfBranchesBehindEachOtherAreSeenInEach) {
  ArmWrite write(c_, x(6), {});
  ASSERT_TRUE(write.write(p_, d_, x(7), Scalar::kI32));
  EXPECT_TRUE(write.seen(p_, Scalar::kI32).is_undefined());
  EXPECT_EQ(write.seen_under(p_, d_, Scalar::kI32), x(7));
  EXPECT_EQ(write.seen_under(p_, both(d_, outer_), Scalar::kI32), x(7));
  EXPECT_EQ(write.seen_under(p_, both(denied(d_), c_), Scalar::kI32), x(6));
  expect_same(*write.seen_under(p_, c_, Scalar::kI32), select(d_, x(7), x(6)));
  EXPECT_FALSE(write.seen_under(p_, outer_, Scalar::kI32));
  expect_same(write.seen_or(p_, Scalar::kI32, x(9)), select(d_, x(7), select(c_, x(6), x(9))));
  ASSERT_TRUE(write.write(p_, both(d_, outer_), x(8), Scalar::kI32));
  expect_same(*write.seen_under(p_, d_, Scalar::kI32), select(both(d_, outer_), x(8), x(7)));
  ASSERT_TRUE(write.write(p_, c_, x(9), Scalar::kI32));
  EXPECT_EQ(write.seen_under(p_, c_, Scalar::kI32), x(9));
}

TEST_F(ArmWrites, OfAnotherBranchAreNoneOfThis) {
  ArmWrite write(c_, x(6), x(7));
  EXPECT_FALSE(write.write(p_, d_, x(8), Scalar::kI32));
  expect_same(write.seen(p_, Scalar::kI32), select(c_, x(6), x(7)));
}

}  // namespace
}  // namespace swizzle::arm_write_test
