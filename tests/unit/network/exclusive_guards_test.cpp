#include "synth/network/exclusive_guards.h"

#include <gtest/gtest.h>

namespace swizzle::exclusive_guards_test {
namespace {

constexpr PointId P(0), Q(1), R(2);

Value added(Value a, Value b) { return Value::integer(a.bits + b.bits); }
Value toggled(Value a, Value b) { return Value::integer(a.bits ^ b.bits); }
int of_two(PointId) { return 2; }

GuardedCoefficient one(Guard guard) { return {std::move(guard), Value::integer(1)}; }

std::vector<Guard> guards_of(const std::vector<GuardedCoefficient>& made) {
  std::vector<Guard> guards;
  for (const GuardedCoefficient& each : made) guards.push_back(each.guard);
  return guards;
}

TEST(ExclusiveGuards, OfTwoThatTakeEachOtherAwayHoldWhereOneDoes) {
  const auto made = exclusive({one({{P, 1}}), one({{Q, 1}})}, of_two, toggled);
  ASSERT_TRUE(made);
  EXPECT_EQ(guards_of(*made), (std::vector<Guard>{{{P, 1}, {Q, 0}}, {{P, 0}, {Q, 1}}}));
}

TEST(ExclusiveGuards, OfTheSameAddUp) {
  const auto twice = exclusive({one({{P, 1}}), one({{P, 1}})}, of_two, added);
  ASSERT_TRUE(twice);
  ASSERT_EQ(twice->size(), 1u);
  EXPECT_EQ(twice->at(0).guard, (Guard{{P, 1}}));
  EXPECT_EQ(twice->at(0).coefficient, Value::integer(2));
  EXPECT_TRUE(exclusive({one({{P, 1}}), one({{P, 1}})}, of_two, toggled)->empty());
}

TEST(ExclusiveGuards, AskNoPointThatChangesNothing) {
  const auto made = exclusive({one({{P, 1}, {Q, 0}}), one({{P, 1}, {Q, 1}})}, of_two, added);
  ASSERT_TRUE(made);
  EXPECT_EQ(guards_of(*made), (std::vector<Guard>{{{P, 1}}}));
  EXPECT_EQ(guards_of(*exclusive({one({{R, 0}}), one({{R, 1}})}, of_two, added)), (std::vector<Guard>{{}}));
}

TEST(ExclusiveGuards, AreNoneOfPointsOfManyValuesOrOfManyPoints) {
  EXPECT_FALSE(exclusive({one({{P, 1}}), one({{Q, 1}})}, [](PointId) { return 3; }, added));
  EXPECT_FALSE(exclusive({one({{P, 1}}), one({{Q, ~1}})}, of_two, added));
  std::vector<GuardedCoefficient> many;
  for (std::uint32_t p = 0; p < 5; ++p) many.push_back(one({{PointId(p), 1}}));
  EXPECT_FALSE(exclusive(many, of_two, added));
}

TEST(ExclusiveGuards, ExcludeEachOtherByAPointOfTwoValues) {
  EXPECT_TRUE(exclude_each_other({{P, 1}, {Q, 0}}, {{Q, 1}}));
  EXPECT_FALSE(exclude_each_other({{P, 1}}, {{Q, 0}}));
  EXPECT_FALSE(exclude_each_other({{P, 1}}, {{P, ~0}}));
}

}  // namespace
}  // namespace swizzle::exclusive_guards_test
