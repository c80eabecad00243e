#include "synth/propagation/guard_alternatives.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::guard_alternatives_test {
namespace {

// One tuple, which an output is offered where one of two conditions holds and the other does not; it needs monomial 0.
class EitherOfTwo : public testing::Test {
 protected:
  EitherOfTwo() {
    matching_.words = 1;
    matching_.tuples.resize(1);
    matching_.masks = {{3}};
    matching_.sums = {{0, {1}}};
    for (int value : {0, 1}) matching_.assignments.push_back({0, 0, 0, {{p_, value}, {q_, 1 - value}}, true});
    domains_.emplace(b_.problem.points);
  }
  std::uint64_t restricted(std::uint64_t may) {
    Mask mask{may};
    GuardAlternatives(matching_).restrict(matching_, *domains_, mask);
    return mask[0];
  }
  bool narrowed(std::uint64_t may) { return GuardAlternatives(matching_).narrow(matching_, {may}, *domains_); }

  ProblemBuilder b_;
  const HoleId conditions_ = b_.condition(2);
  const PointId p_ = b_.at(conditions_, 0), q_ = b_.at(conditions_, 1);
  Matching matching_;
  std::optional<Domains> domains_;
};

TEST_F(EitherOfTwo, WithoutAGuardThatIsLeftTheTupleIsNothingThatIsNeeded) {
  EXPECT_EQ(restricted(3), 3u);
  ASSERT_TRUE(domains_->fix(p_, 1) && domains_->fix(q_, 1));
  EXPECT_EQ(restricted(3), 2u);
}

TEST_F(EitherOfTwo, WhatIsNeededFixesTheGuardThatIsLeft) {
  ASSERT_TRUE(domains_->fix(p_, 1));
  ASSERT_TRUE(narrowed(3));
  EXPECT_EQ(domains_->count(q_), 2) << "it may be monomial 1, which is not needed";
  ASSERT_TRUE(narrowed(1));
  EXPECT_FALSE(domains_->allows(q_, 1));
}

TEST_F(EitherOfTwo, WhatIsNeededIsAConflictWithoutAGuardThatIsLeft) {
  ASSERT_TRUE(narrowed(1));
  EXPECT_EQ(domains_->count(p_), 2);
  ASSERT_TRUE(domains_->fix(p_, 0) && domains_->fix(q_, 0));
  EXPECT_FALSE(narrowed(1));
}

TEST_F(EitherOfTwo, AGuardIsDecidedByItsLastOpenPoint) {
  const Guard guard{{p_, 1}, {q_, 0}};
  EXPECT_EQ(deciding_step(guard, *domains_), nullptr) << "two are open";
  ASSERT_TRUE(domains_->fix(p_, 1));
  ASSERT_NE(deciding_step(guard, *domains_), nullptr);
  EXPECT_EQ(deciding_step(guard, *domains_)->first, q_);
  ASSERT_TRUE(domains_->fix(q_, 1));
  EXPECT_EQ(deciding_step(guard, *domains_), nullptr) << "it does not hold";
}

}  // namespace
}  // namespace swizzle::guard_alternatives_test
