// What grows from group to group, against what each group has.
#include "synth/provenance/strides.h"

#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "synth/provenance/provenance.h"

namespace swizzle::strides_test {
namespace {

Value at(const Strides& strides, Value v, const std::vector<std::int64_t>& group) {
  for (std::size_t a = 0; a < group.size(); ++a) v.bits += strides.steps_of(v)[a] * group[a];
  v.stride = 0;
  return v;
}

bool is_all(const Strides& strides, std::int64_t first, std::int64_t second, auto&& holds) {
  for (std::int64_t a = 0; a < first; ++a)
    for (std::int64_t b = 0; b < second; ++b)
      if (!holds(std::vector<std::int64_t>{a, b})) return false;
  return strides.counts().size() == 2;
}

TEST(Strides, AddUp) {
  Strides strides({3});
  const Value i = strides.growing(Value::integer(1), {4});
  const Value sum = strides.binary(Operator::kAdd, Scalar::kI32, i, i);
  EXPECT_EQ(at(strides, sum, {2}), Value::integer(18));
  EXPECT_EQ(strides.binary(Operator::kSub, Scalar::kI32, sum, sum), Value::integer(0));
  EXPECT_FALSE(strides.is_lost());
}

TEST(Strides, AlongOneGroupCountForNothing) {
  Strides strides({1});
  EXPECT_EQ(strides.growing(Value::integer(5), {4}), Value::integer(5));
}

TEST(Strides, CompareWhereAllGroupsAgree) {
  Strides strides({3});
  const Value i = strides.growing(Value::integer(1), {4});
  EXPECT_EQ(strides.binary(Operator::kLt, Scalar::kI32, i, Value::integer(10)), Value::integer(1));
  EXPECT_EQ(strides.binary(Operator::kEq, Scalar::kI32, i, Value::integer(0)), Value::integer(0));
  EXPECT_FALSE(strides.is_lost());
}

TEST(Strides, AreCutWhereAComparisonTurns) {
  Strides strides({3});
  const Value i = strides.growing(Value::integer(1), {4});
  strides.binary(Operator::kLt, Scalar::kI32, i, Value::integer(8));
  ASSERT_TRUE(strides.is_lost() && strides.cut());
  EXPECT_EQ(strides.cut()->at, 2);
}

TEST(Strides, AreCutWithTheOtherAxisAtItsEnd) {
  Strides strides({10, 8});  // 256 · b + 32 · w <= 2459: true of all warps of blocks 0 … 8
  strides.binary(Operator::kLe, Scalar::kI32, strides.growing(Value::integer(0), {256, 32}), Value::integer(2459));
  ASSERT_TRUE(strides.cut());
  EXPECT_EQ(strides.cut()->axis, 0u);
  EXPECT_EQ(strides.cut()->at, 9);
}

TEST(Strides, AreLostWhereATypeEnds) {
  Strides strides({3});
  const Value i = strides.growing(Value::integer(0x7ffffffe), {1});
  EXPECT_TRUE(i.stride != 0 && !strides.is_lost());
  strides.binary(Operator::kAdd, Scalar::kI32, i, Value::integer(0));
  EXPECT_TRUE(strides.is_lost());
}

TEST(Strides, AreLostOnPointersThatAllGroupsHave) {
  Strides strides({3});
  strides.let_grow(7);
  strides.growing(Value::pointer(7, 0), {1});
  EXPECT_FALSE(strides.is_lost());
  strides.growing(Value::pointer(6, 0), {1});
  EXPECT_TRUE(strides.is_lost());
}

TEST(Strides, AreLostInData) {
  for (const Operator op : {Operator::kAdd, Operator::kMul, Operator::kLt, Operator::kAnd, Operator::kOr}) {
    Strides strides({3});
    Provenance provenance;
    provenance.grow_by(&strides);
    const Value x = provenance.input(BufferId(0), 0, Scalar::kI32), i = strides.growing(Value::integer(1), {4});
    provenance.binary(op, Scalar::kI32, x, i);
    EXPECT_TRUE(strides.is_lost()) << spelling(op);
  }
}

// An operation on two values that grow, or do not: unless it is lost, what it gives is what each group computes.
TEST(Strides, AreWhatEachGroupComputes) {
  std::mt19937 random(7);
  const auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  constexpr std::array kOperators{Operator::kAdd, Operator::kSub, Operator::kMul, Operator::kDiv,
                                  Operator::kRem, Operator::kShl, Operator::kShr, Operator::kAnd,
                                  Operator::kOr,  Operator::kXor, Operator::kLt,  Operator::kLe,
                                  Operator::kGt,  Operator::kGe,  Operator::kEq,  Operator::kNe};
  int kept = 0;
  for (int round = 0; round < 20000; ++round) {
    const Operator op = kOperators[static_cast<std::size_t>(number(0, kOperators.size() - 1))];
    const Scalar s =
        std::array{Scalar::kI32, Scalar::kU32, Scalar::kI64, Scalar::kU8}[static_cast<std::size_t>(number(0, 3))];
    Strides strides({number(1, 4), number(1, 4)});
    const auto operand = [&] {
      const Value v = Value::integer(wrap(s, number(-20, 100)));
      return number(0, 2) == 0 ? v : strides.growing(v, {number(-8, 8), 4 * number(-2, 2)});
    };
    const Value a = operand(), b = number(0, 1) == 0 ? operand() : Value::integer(1 << number(0, 4));
    if (strides.is_lost() || (a.stride | b.stride) == 0) continue;
    const auto fits = [&](Value v) {
      const auto [least, most] = strides.range(v);
      return wrap(s, least) == least && wrap(s, most) == most;
    };
    if (!fits(a) || !fits(b)) continue;
    const Value result = strides.binary(op, s, a, b);
    if (strides.is_lost()) continue;
    ++kept;
    EXPECT_TRUE(is_all(strides, strides.counts()[0], strides.counts()[1],
                       [&](const std::vector<std::int64_t>& group) {
                         Provenance concrete;
                         return at(strides, result, group) ==
                                concrete.binary(op, s, at(strides, a, group), at(strides, b, group));
                       }))
        << spelling(op) << " of " << a.bits << " and " << b.bits;
  }
  EXPECT_GT(kept, 1000);
}

}  // namespace
}  // namespace swizzle::strides_test
