#include "synth/bounds/branch_prices.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::branch_prices_test {
namespace {

// if (C(lane, k)) lo += t; else hi += t;  on two lanes for k of 4; lo of lane 0 needs `then` products, hi of lane 1
// `otherwise`.
class PricesOfBranches : public testing::Test {
 protected:
  void offer(int lane, int value, std::uint64_t needs) {
    Matching matching;
    matching.words = 1;
    matching.tuples.resize(4);
    matching.sums = {{0, {needs}}};
    for (std::uint32_t k = 0; k < 4; ++k) matching.assignments.push_back({k, 0, 0, {{point(lane, k), value}}});
    network_.matchings.push_back(std::move(matching));
  }
  PointId point(int lane, std::uint32_t k) const { return b_.at(adds_, 2 * k + static_cast<std::size_t>(lane)); }
  // Issued where some lane's point has this value.
  void issue(int value, double accumulates) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      GuardedIssue issue{{}, {.accumulates = accumulates}};
      for (int lane : {0, 1})
        issue.guards.push_back(b_.choice(point(lane, k), {Value::integer(1 - value), Value::integer(value)}));
      b_.problem.guarded.push_back(std::move(issue));
    }
  }
  double price() { return branch_prices(b_.problem, network_, GuardedIssues(b_.problem, machine_)).at(adds_.value); }

  ProblemBuilder b_;
  const HoleId adds_ = b_.condition(2, 4);
  const IssueCosts machine_;
  ConstraintNetwork network_;
};

TEST_F(PricesOfBranches, AreThoseOfBothThoughNoLaneHasBoth) {
  issue(1, 1);
  issue(0, 2);
  offer(0, 1, 0b1111);
  offer(1, 0, 0b0111);
  EXPECT_EQ(price(), (4 + 3 * 2) * machine_.accumulate);
}

TEST_F(PricesOfBranches, AreThoseOfTheOutputThatNeedsMost) {
  issue(1, 1);
  offer(0, 1, 0b0011);
  offer(1, 1, 0b0111);
  EXPECT_EQ(price(), 3 * machine_.accumulate);
}

TEST_F(PricesOfBranches, AreNothingForWhatOthersMayBring) {
  issue(1, 1);
  offer(0, 1, 0b0111);
  Matching& matching = network_.matchings[0];
  matching.tuples.resize(6);
  matching.assignments.push_back({4, 0, 0, {}});
  matching.assignments.push_back({5, 0, 0, {{point(0, 0), 0}}});
  EXPECT_EQ(price(), 1 * machine_.accumulate);
}

// An instruction of lanes that branch contrary to each other is one.
TEST_F(PricesOfBranches, OfOneInstructionCountOnce) {
  for (std::uint32_t k = 0; k < 4; ++k) {
    const Value one = Value::integer(1), none = Value::integer(0);
    b_.problem.guarded.push_back(
        {{b_.choice(point(0, k), {none, one}), b_.choice(point(1, k), {one, none})}, {.accumulates = 1}});
  }
  offer(0, 1, 0b1111);
  offer(1, 0, 0b1111);
  EXPECT_LE(price(), 4 * machine_.accumulate);
}

}  // namespace
}  // namespace swizzle::branch_prices_test
