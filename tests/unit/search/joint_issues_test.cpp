#include "synth/search/joint_issues.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::joint_issues_test {
namespace {

// Conditions C and D on two lanes; where they differ one instruction is issued, and elsewhere another one.
class JointIssues : public testing::Test {
 protected:
  JointIssues() {
    GuardedIssue where_they_differ{{}, {.accumulates = 3}}, elsewhere{{}, {.accumulates = 2}};
    for (std::size_t lane = 0; lane < 2; ++lane) {
      const Value same = b_.equal(value(c_, lane), value(d_, lane));
      elsewhere.guards.push_back(same);
      where_they_differ.guards.push_back(b_.problem.provenance.unary(Operator::kLogicalNot, Scalar::kBool, same));
    }
    b_.problem.guarded = {where_they_differ, elsewhere};
  }
  Value value(HoleId hole, std::size_t lane) {
    return b_.choice(b_.at(hole, lane), {Value::integer(0), Value::integer(1)});
  }
  double price(double accumulates) const { return accumulates * IssueCosts().accumulate; }

  ProblemBuilder b_;
  const HoleId c_ = b_.condition(2), d_ = b_.condition(2);
  const std::vector<TrialStep> steps_{{c_, {0, 1}}, {d_, {0, 1}}};
};

TEST_F(JointIssues, AreOneOfTwoAtLeastAndBothWhereLanesGoApart) {
  const GuardedIssues issues(b_.problem, {});
  const swizzle::JointIssues joint(b_.problem, issues, steps_, issues.joint_numbers());
  EXPECT_EQ(joint.floor(), price(2));
  const auto more = [&](std::vector<int> values) {
    const auto value_of = [&](PointId p) { return values[p.value]; };
    EXPECT_EQ(joint.decided_with(0, value_of), 0);
    return joint.decided_with(1, value_of);
  };
  EXPECT_EQ(more({0, 0, 0, 0}), 0);
  EXPECT_EQ(more({0, 1, 1, 0}), price(1)) << "the dearer one alone";
  EXPECT_EQ(more({0, 1, 0, 0}), price(3));
}

// All of one arm first, in a loop over steps.
TEST_F(JointIssues, AreFoundInPairsWhereverTheyStand) {
  const GuardedIssue first = b_.problem.guarded[0], second = b_.problem.guarded[1];
  b_.problem.guarded = {first, first, second, second};
  const GuardedIssues issues(b_.problem, {});
  EXPECT_EQ(swizzle::JointIssues(b_.problem, issues, steps_, issues.joint_numbers()).floor(), 2 * price(2));
}

TEST_F(JointIssues, WaitForTheirLastPoint) {
  const GuardedIssues issues(b_.problem, {});
  const swizzle::JointIssues joint(b_.problem, issues, steps_, issues.joint_numbers());
  EXPECT_EQ(joint.pending(0), (std::vector<PointId>{b_.at(c_, 0), b_.at(c_, 1)}));
  EXPECT_TRUE(joint.pending(1).empty());
}

TEST_F(JointIssues, ThatMayBothBeLeftOutHaveNoFloor) {
  b_.problem.guarded[1].guards[0] = b_.both(value(c_, 0), value(d_, 0));
  const GuardedIssues issues(b_.problem, {});
  EXPECT_EQ(swizzle::JointIssues(b_.problem, issues, steps_, issues.joint_numbers()).floor(), 0);
}

// Of one hole, whose tables nobody lists.
TEST_F(JointIssues, AreAnyThatAreNamed) {
  b_.problem.guarded = {{{value(c_, 0)}, {.accumulates = 3}}, {{value(d_, 1)}, {.accumulates = 2}}};
  const GuardedIssues issues(b_.problem, {});
  const swizzle::JointIssues joint(b_.problem, issues, steps_, issues.alone(c_.value));
  const auto value_of = [](PointId) { return 1; };
  EXPECT_EQ(joint.floor(), 0);
  EXPECT_EQ(joint.decided_with(0, value_of), price(3));
  EXPECT_EQ(joint.decided_with(1, value_of), 0);
}

TEST_F(JointIssues, ThatAreNecessaryAreInTheFloorAndIssued) {
  b_.problem.guarded = {{{value(c_, 0)}, {.accumulates = 3}}, {{value(c_, 1)}, {.accumulates = 2}}};
  const GuardedIssues issues(b_.problem, {});
  const swizzle::JointIssues joint(b_.problem, issues, steps_, issues.alone(c_.value), {0});
  EXPECT_EQ(joint.floor(), price(3));
  const auto more = [&](std::vector<int> values) {
    return joint.decided_with(0, [&](PointId p) { return values[p.value]; });
  };
  EXPECT_EQ(more({1, 0, 0, 0}), 0);
  EXPECT_EQ(more({1, 1, 0, 0}), price(2));
  EXPECT_EQ(more({0, 1, 0, 0}), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace swizzle::joint_issues_test
