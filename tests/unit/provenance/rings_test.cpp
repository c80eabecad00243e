#include <limits>

#include <gtest/gtest.h>

#include "synth/provenance/provenance.h"

namespace swizzle::rings_test {
namespace {

// A sum that a hole decides to extend, at point 0 of two values.
class Select : public testing::TestWithParam<Ring> {
 protected:
  Value input(std::int64_t i) { return provenance_.input(BufferId(std::size_t{0}), i, Scalar::kI32); }
  Value add(Value a, Value b) { return provenance_.combine(GetParam(), Scalar::kI32, a, b); }
  Value resolved(Value v, int value) {
    PointId blocked;
    return provenance_.normalize(provenance_.resolve(v, {value}, blocked));
  }
  Provenance provenance_;
};

TEST_P(Select, BetweenASumAndItsExtensionKeepsTheSumOutsideOfTheChoice) {
  const Value condition = provenance_.choice(PointId(std::size_t{0}), {Value::integer(0), Value::integer(1)});
  const Value sum = add(add(input(0), input(1)), input(2));
  const Value extended = add(sum, input(3));
  for (const bool negated : {false, true}) {
    const Value chosen =
        negated ? provenance_.select(condition, sum, extended) : provenance_.select(condition, extended, sum);
    EXPECT_EQ(provenance_.terms(GetParam(), Scalar::kI32, chosen).size(), 4u);
    EXPECT_EQ(resolved(chosen, negated ? 1 : 0), provenance_.normalize(sum));
    EXPECT_EQ(resolved(chosen, negated ? 0 : 1), provenance_.normalize(extended));
  }
}

TEST_P(Select, ASumOfAnotherRingIsOneOperandHoweverItWasAddedUp) {
  const Ring inner = GetParam() == Ring::kSum ? Ring::kXor : Ring::kSum;
  const auto sum = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    return provenance_.combine(inner, Scalar::kI32, provenance_.combine(inner, Scalar::kI32, input(a), input(b)),
                               input(c));
  };
  EXPECT_EQ(provenance_.normalize(add(sum(0, 1, 2), input(3))), provenance_.normalize(add(input(3), sum(2, 0, 1))));
}

INSTANTIATE_TEST_SUITE_P(OfEachRing, Select,
                         testing::Values(Ring::kSum, Ring::kXor, Ring::kOr, Ring::kMin, Ring::kMax));

// An instruction computes it, and so do those that it is an operand of: costs count them.
TEST(Sums, ThatCancelOutAreOfDataUntilTheyAreLookedAt) {
  Provenance provenance;
  const Scalar s = Scalar::kI32;
  const auto input = [&](std::int64_t i) { return provenance.input(BufferId(std::size_t{0}), i, s); };
  const auto sum = [&](Value a, Value b) { return provenance.combine(Ring::kSum, s, a, b); };
  const auto minus = [&](Value v) { return provenance.multiply(Ring::kSum, s, v, Value::integer(-1)); };
  const auto either = [&](Value a, Value b) { return provenance.combine(Ring::kXor, s, a, b); };
  const Value a = input(0), b = input(1);
  for (const auto& [v, number] :
       std::vector<std::pair<Value, int>>{{either(a, a), 0},
                                          {sum(a, minus(a)), 0},
                                          {sum(sum(a, Value::integer(3)), minus(a)), 3},
                                          {either(either(a, b), either(b, a)), 0},
                                          {sum(sum(a, b), sum(minus(b), minus(a))), 0},
                                          {either(either(a, Value::integer(5)), either(a, Value::integer(1))), 4}}) {
    EXPECT_FALSE(provenance.is_index(v)) << number;
    EXPECT_EQ(provenance.normalize(v), Value::integer(number));
    EXPECT_EQ(provenance.normalize(sum(v, b)), provenance.normalize(sum(b, Value::integer(number))));
  }
}

// fmaxf(v, c ? x : -inf) is what `if (c) v = fmaxf(v, x)` leaves.
TEST(Bounds, ThatAConditionChoosesChangeNoExtremum) {
  Provenance provenance;
  const Value condition = provenance.choice(PointId(std::size_t{0}), {Value::integer(0), Value::integer(1)});
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [ring, s, bound] : std::vector<std::tuple<Ring, Scalar, Value>>{
           {Ring::kMax, Scalar::kF32, Value::real(-infinity)},
           {Ring::kMin, Scalar::kF32, Value::real(infinity)},
           {Ring::kMax, Scalar::kI32, Value::integer(std::numeric_limits<std::int32_t>::min())}}) {
    const auto input = [&, s = s](std::int64_t i) { return provenance.input(BufferId(std::size_t{0}), i, s); };
    const auto both = [&, ring = ring, s = s](Value a, Value b) { return provenance.combine(ring, s, a, b); };
    const Value v = both(input(0), input(1)), x = input(2);
    const Value padded = provenance.normalize(both(v, provenance.select(condition, x, bound)));
    EXPECT_EQ(padded, provenance.normalize(provenance.select(condition, both(v, x), v)));
    EXPECT_FALSE(padded == provenance.normalize(both(v, provenance.select(condition, x, Value::integer(0)))));
  }
}

// What a spec in plain C++ says where a kernel says min and max.
class Extremum : public testing::TestWithParam<Operator> {
 protected:
  Value input(std::int64_t i, Scalar s) { return provenance_.input(BufferId(std::size_t{0}), i, s); }
  Provenance provenance_;
};

TEST_P(Extremum, IsTheArmThatTheComparisonTells) {
  const bool is_less = GetParam() == Operator::kLt || GetParam() == Operator::kLe;
  for (const Scalar s : {Scalar::kI32, Scalar::kU32, Scalar::kF32}) {
    const Value a = input(0, s), b = input(1, s);
    const Value condition = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, Value::integer(1),
                                               provenance_.binary(GetParam(), s, a, b));
    const auto same = [&](Value x, Value y) { return provenance_.normalize(x) == provenance_.normalize(y); };
    EXPECT_TRUE(
        same(provenance_.select(condition, a, b), provenance_.combine(is_less ? Ring::kMin : Ring::kMax, s, a, b)));
    EXPECT_TRUE(
        same(provenance_.select(condition, b, a), provenance_.combine(is_less ? Ring::kMax : Ring::kMin, s, a, b)));
    const Value other = provenance_.select(condition, a, input(2, s));
    EXPECT_FALSE(same(other, provenance_.combine(Ring::kMin, s, a, input(2, s))));
    EXPECT_FALSE(same(other, provenance_.combine(Ring::kMax, s, a, input(2, s))));
  }
}

TEST_P(Extremum, ComparesInTheTypeOfTheValues) {
  const Value a = input(0, Scalar::kI32), b = input(1, Scalar::kI32);
  const Value chosen = provenance_.select(provenance_.binary(GetParam(), Scalar::kU32, a, b), a, b);
  for (const Ring ring : {Ring::kMin, Ring::kMax})
    EXPECT_FALSE(provenance_.normalize(chosen) == provenance_.normalize(provenance_.combine(ring, Scalar::kI32, a, b)));
}

// `int most = INT_MIN;` before a loop that takes the maximum.
TEST(Bounds, AddNothingToAMinimumOrMaximum) {
  Provenance provenance;
  const auto expect_nothing = [&](Ring ring, Scalar s, Value bound, Value other) {
    const Value x = provenance.input(BufferId(std::size_t{0}), 0, s);
    EXPECT_TRUE(provenance.normalize(provenance.combine(ring, s, bound, x)) == x);
    EXPECT_FALSE(provenance.normalize(provenance.combine(ring, s, other, x)) == x);
  };
  const std::int64_t int_max = 2147483647;
  expect_nothing(Ring::kMax, Scalar::kI32, Value::integer(-int_max - 1), Value::integer(-int_max));
  expect_nothing(Ring::kMin, Scalar::kI32, Value::integer(int_max), Value::integer(0));
  expect_nothing(Ring::kMax, Scalar::kU32, Value::integer(0), Value::integer(1));
  expect_nothing(Ring::kMin, Scalar::kU32, Value::integer(2 * int_max + 1), Value::integer(int_max));
  expect_nothing(Ring::kMax, Scalar::kF32, Value::real(-std::numeric_limits<double>::infinity()), Value::real(0));
  expect_nothing(Ring::kMin, Scalar::kF64, Value::real(std::numeric_limits<double>::infinity()), Value::real(0));
}

INSTANTIATE_TEST_SUITE_P(OfEachComparison, Extremum,
                         testing::Values(Operator::kLt, Operator::kLe, Operator::kGt, Operator::kGe));

}  // namespace
}  // namespace swizzle::rings_test
