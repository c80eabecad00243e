#include "synth/network/hole_order.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::hole_order_test {
namespace {

using Order = std::set<std::pair<std::size_t, std::size_t>>;

class HoleOrder : public testing::Test {
 protected:
  Order order() {
    ConstraintNetwork network;
    EXPECT_FALSE(b_.compile(network));
    return hole_order(b_.problem, network);
  }
  // x[lane], or x[lane + 2] where the source lane says so.
  Value shuffled(std::size_t lane) {
    std::vector<Value> values;
    for (std::size_t source = 0; source < 2; ++source)
      values.push_back(
          b_.choice(b_.at(registers_, source), {b_.x(static_cast<int>(source)), b_.x(static_cast<int>(source) + 2)}));
    return b_.choice(b_.at(lanes_, lane), values);
  }

  ProblemBuilder b_{Ring::kXor};
  const HoleId registers_ = b_.part(2, 2), lanes_ = b_.transform(2), conditions_ = b_.condition(2);
};

TEST_F(HoleOrder, ALaneComesBeforeTheRegisterAtIt) {
  b_.equation(shuffled(0), b_.x(3));
  EXPECT_EQ(order(), (Order{{lanes_.value, registers_.value}}));
}

TEST_F(HoleOrder, WhatIsGuardedComesBeforeTheGuard) {
  b_.equation(b_.when(b_.at(conditions_, 0), shuffled(0)), b_.x(3));
  EXPECT_EQ(order(), (Order{{lanes_.value, registers_.value},
                            {lanes_.value, conditions_.value},
                            {registers_.value, conditions_.value}}));
}

TEST_F(HoleOrder, HolesThatDoNotMeetHaveNone) {
  b_.equation(b_.choice(b_.at(lanes_, 0), {b_.x(0), b_.x(1)}), b_.x(1));
  b_.equation(b_.choice(b_.at(registers_, 0), {b_.x(0), b_.x(1)}), b_.x(1));
  EXPECT_TRUE(order().empty());
}

// A minimum that may be repeated becomes a sum; its options tell the same.
TEST_F(HoleOrder, SumsTellItFromTheirOptions) {
  ProblemBuilder b(Ring::kMin);
  const HoleId registers = b.part(2, 2), lanes = b.transform(2);
  std::vector<Value> values;
  for (std::size_t source = 0; source < 2; ++source)
    values.push_back(
        b.choice(b.at(registers, source), {b.x(static_cast<int>(source)), b.x(static_cast<int>(source) + 2)}));
  b.equation(b.sum({b.choice(b.at(lanes, 0), values), b.choice(b.at(lanes, 1), values)}), b.x(1));
  ConstraintNetwork network;
  ASSERT_FALSE(b.compile(network));
  ASSERT_EQ(network.sums.size(), 1u);
  EXPECT_EQ(hole_order(b.problem, network), (Order{{lanes.value, registers.value}}));
}

// What is stored is there before it is read: of a path that is all there is to an output, the store's hole comes first.
TEST_F(HoleOrder, AStoreComesBeforeTheReadThatMeetsIt) {
  ConstraintNetwork network;
  SumConstraint sum;
  sum.need = {1};
  sum.terms.push_back({{Option{Path{{b_.at(lanes_, 0), 1}, {b_.at(registers_, 0), 1}}, {{0, 1}}}}, false});
  network.sums.push_back(sum);
  EXPECT_EQ(hole_order(b_.problem, network), (Order{{lanes_.value, registers_.value}}));
  network.storing.assign(b_.problem.holes.size(), false);
  network.storing[registers_.value] = true;
  EXPECT_EQ(hole_order(b_.problem, network), (Order{{registers_.value, lanes_.value}}));
}

}  // namespace
}  // namespace swizzle::hole_order_test
