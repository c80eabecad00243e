#include "synth/bounds/guarded_issues.h"

#include <gtest/gtest.h>

#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::guarded_issues_test {
namespace {

constexpr Counts kOneAccumulate{.accumulates = 1};

// if (?sw_cond(lane, k)) a += v on 2 lanes for k = 0, 1: an issue for each k. The hole's table: (lane, k) at 2 · k +
// lane.
class IssuesOfACondition : public testing::Test {
 protected:
  IssuesOfACondition() {
    for (std::size_t k = 0; k < 2; ++k) {
      GuardedIssue issue{{}, kOneAccumulate};
      for (std::size_t lane = 0; lane < 2; ++lane)
        issue.guards.push_back(b_.when(b_.at(adds_, 2 * k + lane), Value::integer(1)));
      b_.problem.guarded.push_back(std::move(issue));
    }
  }

  ProblemBuilder b_;
  const HoleId adds_ = b_.condition(2, 2);
  const IssueCosts machine_;
};

TEST_F(IssuesOfACondition, CostWhatSomeLaneExecutes) {
  const GuardedIssues issues(b_.problem, machine_);
  EXPECT_EQ(issues.all(adds_.value), 2 * machine_.accumulate);
  EXPECT_EQ(issues.of(adds_.value, {0, 0, 0, 0}), 0);
  EXPECT_EQ(issues.of(adds_.value, {1, 0, 0, 0}), machine_.accumulate);
  EXPECT_EQ(issues.of(adds_.value, {1, 1, 0, 0}), machine_.accumulate);
  EXPECT_EQ(issues.of(adds_.value, {1, 0, 0, 1}), 2 * machine_.accumulate);
  EXPECT_EQ(issues.counts({table({1, 0, 0, 1})}).accumulates, 2);
  EXPECT_EQ(issues.least_of_active(adds_.value), machine_.accumulate);
}

TEST_F(IssuesOfACondition, AreAskedAtItsPoints) {
  const GuardedIssues issues(b_.problem, machine_);
  EXPECT_EQ(issues.alone(adds_.value), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(issues.asked(adds_.value), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(issues.issued_at(b_.at(adds_, 3), 1), (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(issues.issued_at(b_.at(adds_, 3), 0).empty());
  EXPECT_TRUE(issues.issues(1, adds_.value, b_.at(adds_, 3), 1));
  EXPECT_FALSE(issues.issues(1, adds_.value, b_.at(adds_, 3), 0));
  EXPECT_FALSE(issues.issues(1, adds_.value, b_.at(adds_, 0), 1));
  EXPECT_FALSE(issues.has_joint());
}

// Whatever the first point is, one of two branches is issued; of the other point nothing is.
TEST(GuardedIssues, OfTwoBranchesOneIsIssuedAtLeast) {
  ProblemBuilder b;
  const HoleId which = b.condition(2);
  const Value one = Value::integer(1), none = Value::integer(0);
  b.problem.guarded.push_back({{b.choice(b.at(which, 0), {none, one})}, {.accumulates = 3}});
  b.problem.guarded.push_back({{b.choice(b.at(which, 0), {one, none})}, {.accumulates = 2}});
  const IssueCosts machine;
  const GuardedIssues issues(b.problem, machine);
  EXPECT_EQ(issues.of(which.value, {1, 0}), 3 * machine.accumulate);
  EXPECT_EQ(issues.of(which.value, {0, 1}), 2 * machine.accumulate);
  EXPECT_EQ(issues.least_of_active(which.value), 2 * machine.accumulate);
}

TEST(GuardedIssues, OfTwoHolesTogetherAreKnownOnceBothAre) {
  ProblemBuilder b;
  const HoleId outer = b.condition(1), inner = b.condition(1);
  const Value one = Value::integer(1);
  b.problem.guarded.push_back({{b.both(b.when(b.at(outer, 0), one), b.when(b.at(inner, 0), one))}, kOneAccumulate});
  const IssueCosts machine;
  const GuardedIssues issues(b.problem, machine);
  ASSERT_TRUE(issues.has_joint());
  EXPECT_EQ(issues.all(outer.value) + issues.all(inner.value), 0);
  Domains domains(b.problem.points);
  const Domains::Word is_true = 2;
  ASSERT_TRUE(domains.keep(b.at(outer, 0), &is_true));
  EXPECT_EQ(issues.joint(domains), 0);
  ASSERT_TRUE(domains.keep(b.at(inner, 0), &is_true));
  EXPECT_EQ(issues.joint(domains), machine.accumulate);
}

// Holes of whose tables the same is issued are alike in price.
TEST(GuardedIssues, HaveOneShapeWhereTheyAskAlike) {
  ProblemBuilder b;
  const HoleId first = b.condition(2), second = b.condition(2), dearer = b.condition(2), nothing = b.condition(2);
  b.guard(first, kOneAccumulate);
  b.guard(second, kOneAccumulate);
  b.guard(dearer, {.accumulates = 2});
  const GuardedIssues issues(b.problem, IssueCosts{});
  EXPECT_EQ(issues.shape(first.value), issues.shape(second.value));
  EXPECT_NE(issues.shape(first.value), issues.shape(dearer.value));
  EXPECT_EQ(issues.shape(nothing.value), 0u);
}

}  // namespace
}  // namespace swizzle::guarded_issues_test
