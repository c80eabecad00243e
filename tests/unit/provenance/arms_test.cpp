#include "synth/provenance/arms.h"

#include <gtest/gtest.h>

namespace swizzle::arms_test {
namespace {

class ArmsOf : public testing::Test {
 protected:
  Value x(std::int64_t i) { return p_.input(BufferId(std::size_t{0}), i, Scalar::kI32); }
  Value condition(std::int64_t i) { return p_.binary(Operator::kEq, Scalar::kI32, x(i), Value::integer(0)); }
  Value select(Value c, Value a, Value b) { return p_.normalize(p_.select(c, a, b, Scalar::kI32)); }
  Value greatest(Value a, Value b) { return p_.normalize(p_.combine(Ring::kMax, Scalar::kI32, a, b)); }
  void expect(Value v, Value c, Value if_true, Value if_false) {
    const auto arms = arms_of(p_, v, c);
    ASSERT_TRUE(arms);
    EXPECT_EQ(p_.normalize(arms->if_true), if_true);
    EXPECT_EQ(p_.normalize(arms->if_false), if_false);
  }

  Provenance p_;
};

TEST_F(ArmsOf, Sums) {
  const Value c = condition(9), v = select(c, x(1), x(2));
  EXPECT_EQ(only_condition(p_, v), c);
  expect(v, c, x(1), x(2));
  EXPECT_FALSE(arms_of(p_, v, condition(8)));
  EXPECT_FALSE(arms_of(p_, x(1), c));
}

TEST_F(ArmsOf, Maxima) {
  const Value c = condition(9), v = greatest(x(0), select(c, x(1), x(2)));
  expect(v, c, greatest(x(0), x(1)), greatest(x(0), x(2)));
  expect(select(c, greatest(x(0), x(1)), x(0)), c, greatest(x(0), x(1)), x(0));
}

TEST_F(ArmsOf, MoreThanOneConditionIsNone) {
  EXPECT_FALSE(only_condition(p_, select(condition(9), x(1), select(condition(8), x(2), x(3)))));
}

TEST_F(ArmsOf, NumbersHaveTheSignOfTheirType) {
  EXPECT_EQ(as_of_type(Scalar::kI32, Value::integer(0xffffffff)), Value::integer(-1));
  EXPECT_EQ(as_of_type(Scalar::kU32, Value::integer(-1)), Value::integer(0xffffffff));
}

// [p] · x[1] + x[2] where p holds, where it fails, and where another condition holds.
TEST_F(ArmsOf, SumsUnderTheirCondition) {
  const Value p = condition(9), q = condition(8),
              v = select(p, p_.binary(Operator::kAdd, Scalar::kI32, x(1), x(2)), x(2));
  const Value both = p_.normalize(p_.binary(Operator::kAdd, Scalar::kI32, x(1), x(2)));
  EXPECT_EQ(p_.normalize(under_condition(p_, v, p, true)), both);
  EXPECT_EQ(p_.normalize(under_condition(p_, v, p, false)), x(2));
  EXPECT_EQ(p_.normalize(under_condition(p_, v, p_.unary(Operator::kLogicalNot, Scalar::kBool, p), true)), x(2));
  EXPECT_EQ(under_condition(p_, v, q, true), v);
  const Value p_without_q =
      p_.binary(Operator::kLogicalAnd, Scalar::kBool, p, p_.unary(Operator::kLogicalNot, Scalar::kBool, q));
  EXPECT_EQ(under_condition(p_, v, p_without_q, false), v);
}

}  // namespace
}  // namespace swizzle::arms_test
