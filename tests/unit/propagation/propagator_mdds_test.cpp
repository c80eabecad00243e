// Requirements in propagation: values that meet those of fixed points, and values that lead to a violation in any case.
#include <gtest/gtest.h>

#include "synth/propagation/propagator.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::propagator_mdds_test {
namespace {

class PropagatorMdds : public testing::Test {
 protected:
  void start() {
    ASSERT_FALSE(b_.compile(network_));
    domains_.emplace(b_.problem.points);
    propagator_.emplace(network_, b_.problem, *domains_);
  }
  PointId p(std::size_t i) const { return b_.at(lanes_, i); }
  Value is(std::size_t i, int value) { return b_.equal(b_.index(p(i)), Value::integer(value)); }

  ProblemBuilder b_;
  const HoleId lanes_ = b_.transform(4);
  ConstraintNetwork network_;
  std::optional<Domains> domains_;
  std::optional<Propagator> propagator_;
};

TEST_F(PropagatorMdds, AFixedPointTakesItsValueFromThoseThatDiffer) {
  b_.forbid(b_.equal(b_.index(p(0)), b_.index(p(1))));
  start();
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_EQ(domains_->count(p(1)), 4) << "while it is open, it takes nothing";
  ASSERT_TRUE(domains_->fix(p(0), 2));
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_FALSE(domains_->allows(p(1), 2));
  EXPECT_EQ(domains_->count(p(1)), 3);
  EXPECT_EQ(domains_->count(p(2)), 4);
}

TEST_F(PropagatorMdds, TwoThatAreFixedTogetherAreAConflictOfTheRequirement) {
  b_.forbid(is(3, 0));
  b_.forbid(b_.equal(b_.index(p(0)), b_.index(p(1))));
  start();
  ASSERT_TRUE(domains_->fix(p(0), 2) && domains_->fix(p(1), 2));
  const auto conflict = propagator_->propagate();
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->equation, SumConstraint::npos);
  EXPECT_EQ(conflict->requirement, 1u);
}

TEST_F(PropagatorMdds, AValueThatIsForbiddenWhateverTheOthersAreIsStruckOutAtOnce) {
  b_.forbid(is(0, 3));
  start();
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_EQ(domains_->count(p(0)), 3);
  EXPECT_FALSE(domains_->allows(p(0), 3));
}

// P0 < P1 is forbidden: each value of P0 meets several of P1, and all of them once little is left.
TEST_F(PropagatorMdds, AValueIsStruckOutOnceAllThatIsLeftOfTheOthersMeetsIt) {
  b_.forbid(b_.less(b_.index(p(0)), b_.index(p(1))));
  start();
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_EQ(domains_->count(p(0)), 4);
  ASSERT_TRUE(domains_->remove_value(p(1), 0) && domains_->remove_value(p(1), 1));
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_EQ(domains_->count(p(0)), 2);
  EXPECT_EQ(domains_->first(p(0)), 2);
}

TEST_F(PropagatorMdds, UndoForgetsWhatWasStruckOut) {
  b_.forbid(b_.equal(b_.index(p(0)), b_.index(p(1))));
  b_.forbid(b_.less(b_.index(p(1)), b_.index(p(2))));
  start();
  ASSERT_FALSE(propagator_->propagate());
  const std::vector<Domains::Word> before = left_of(*domains_);
  const Propagator::Mark root = propagator_->mark();
  for (int value = 0; value < 4; ++value) {
    ASSERT_TRUE(domains_->fix(p(0), value));
    ASSERT_FALSE(propagator_->propagate());
    EXPECT_FALSE(domains_->allows(p(1), value));
    propagator_->undo(root);
    EXPECT_EQ(left_of(*domains_), before);
  }
}

// All requirements of a few kinds on three points, against all assignments.
TEST_F(PropagatorMdds, NoValueOfASolutionIsStruckOut) {
  for (int kind = 0; kind < 8; ++kind) {
    ProblemBuilder b;
    const HoleId h = b.transform(3);
    const auto value = [&](std::size_t i) { return b.index(b.at(h, i)); };
    if (kind & 1) b.forbid(b.equal(value(0), value(1)));
    if (kind & 2) b.forbid(b.less(value(1), value(2)));
    if (kind & 4)
      b.forbid(b.both(b.equal(value(0), Value::integer(1)),
                      b.both(b.equal(value(1), Value::integer(2)), b.less(value(2), Value::integer(2)))));
    ConstraintNetwork network;
    ASSERT_FALSE(b.compile(network));
    for (int first = 0; first < 3; ++first)
      for (int second = 0; second < 3; ++second) {
        Domains domains(b.problem.points);
        Propagator propagator(network, b.problem, domains);
        ASSERT_TRUE(domains.fix(b.at(h, 0), first) && domains.fix(b.at(h, 1), second));
        bool any = false;
        const bool refuted = propagator.propagate().has_value();
        for (const Assignment& s : solutions_of(b.problem)) {
          if (s[0] != first || s[1] != second) continue;
          any = true;
          EXPECT_TRUE(!refuted && lies_within(s, domains)) << kind;
        }
        if (!refuted) {
          EXPECT_TRUE(any) << kind << ": with two of three fixed, all is known";
        }
      }
  }
}

}  // namespace
}  // namespace swizzle::propagator_mdds_test
