// Sums: which options of a sum can still be meant. Networks of one sum, listed by hand.
#include <gtest/gtest.h>

#include "synth/propagation/propagator.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::sum_propagator_test {
namespace {

class PropagatorSums : public testing::Test {
 protected:
  // Where the point has the value (or not ~value), so much of a monomial.
  Option option(std::size_t point, int value, std::vector<Contribution> brings) const {
    return {Path{{p(point), value}}, {brings.begin(), brings.end()}};
  }
  SumConstraint& sum(std::vector<double> need, std::vector<std::vector<Option>> terms) {
    SumConstraint g;
    for (std::size_t m = 0; m < need.size(); ++m) g.names.push_back(b_.x(static_cast<std::int64_t>(m)));
    g.need = std::move(need);
    for (std::vector<Option>& options : terms) g.terms.push_back({std::move(options), false});
    network_.sums.push_back(std::move(g));
    return network_.sums.back();
  }
  std::optional<Conflict> propagate() {
    if (!propagator_) {
      domains_.emplace(b_.problem.points);
      propagator_.emplace(network_, b_.problem, *domains_);
    }
    return propagator_->propagate();
  }
  std::vector<int> left(std::size_t point) const {
    std::vector<int> values;
    for (int v = 0; v < 4; ++v)
      if (domains_->allows(p(point), v)) values.push_back(v);
    return values;
  }
  PointId p(std::size_t i) const { return b_.at(lanes_, i); }

  ProblemBuilder b_;
  const HoleId lanes_ = b_.transform(4);
  ConstraintNetwork network_;
  std::optional<Domains> domains_;
  std::optional<Propagator> propagator_;
};

using Values = std::vector<int>;

TEST_F(PropagatorSums, AnOptionThatBringsMoreThanIsNeededIsStruckOut) {
  sum({1}, {{option(0, 0, {{0, 1}}), option(0, 1, {{0, 2}})}});
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(0), (Values{0}));
}

TEST_F(PropagatorSums, InASetOrWhereTermsMayCancelItIsNot) {
  for (const bool set : {true, false}) {
    network_.sums.clear();
    propagator_.reset();
    SumConstraint& g = sum({1}, {{option(0, 0, {{0, 1}}), option(0, 1, {{0, 2}})}});
    g.is_set = set;
    g.cancel_free = set;
    ASSERT_FALSE(propagate());
    EXPECT_EQ(left(0), (Values{0, 1}));
  }
}

TEST_F(PropagatorSums, ATermThatCanBringOneThingOnlyUsesUpTheNeed) {
  sum({1, 1}, {{option(0, 0, {{0, 1}}), option(0, 3, {{0, 1}})}, {option(1, 0, {{0, 1}}), option(1, 1, {{1, 1}})}});
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(0), (Values{0, 3})) << "either is the same";
  EXPECT_EQ(left(1), (Values{1}));
}

TEST_F(PropagatorSums, WhereTheNeedIsGreaterOthersMayBringItToo) {
  sum({2, 1}, {{option(0, 0, {{0, 1}})},
               {option(1, 0, {{0, 1}}), option(1, 1, {{1, 1}})},
               {option(2, 0, {{0, 1}}), option(2, 1, {{1, 1}})}});
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(1), (Values{0, 1}));
  EXPECT_EQ(left(2), (Values{0, 1}));
}

TEST_F(PropagatorSums, SuppliersThatAreJustEnoughBringTheirShare) {
  sum({1, 1}, {{option(0, 0, {{0, 1}}), option(0, 1, {})}, {option(1, 1, {{1, 1}}), option(1, 2, {})}});
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(0), (Values{0}));
  EXPECT_EQ(left(1), (Values{1}));
}

TEST_F(PropagatorSums, SuppliersThatAreMoreThanEnoughAreFree) {
  sum({1}, {{option(0, 0, {{0, 1}}), option(0, 1, {})}, {option(1, 1, {{0, 1}}), option(1, 2, {})}});
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(0), (Values{0, 1}));
  EXPECT_EQ(left(1), (Values{1, 2}));
}

TEST_F(PropagatorSums, ANeedThatNothingServesIsAConflictAndIsNamed) {
  sum({1, 1}, {{option(0, 0, {{0, 1}}), option(0, 1, {})}}).equation = 7;
  const auto conflict = propagate();
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->equation, 7u);
  EXPECT_EQ(conflict->missing, b_.x(1));
}

TEST_F(PropagatorSums, ATermWithoutLiveOptionsIsAConflictUnlessItIsOpen) {
  SumConstraint& g = sum({1}, {{option(0, 0, {{0, 1}})}, {option(1, 0, {})}});
  ASSERT_FALSE(propagate());
  const Propagator::Mark root = propagator_->mark();
  EXPECT_FALSE(domains_->fix(p(1), 1)) << "it is 0";
  propagator_.reset();
  g.terms[1].open = true;
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(1).size(), 4u);
  ASSERT_TRUE(domains_->fix(p(1), 1));
  EXPECT_FALSE(propagate());
  propagator_->undo(root);
}

TEST_F(PropagatorSums, AValueThatAllOptionsPassAndNoneTakesIsStruckOut) {
  sum({1}, {{option(0, 0, {{0, 1}}), option(0, 2, {{0, 1}})}});
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(0), (Values{0, 2}));
}

TEST_F(PropagatorSums, APointThatSomeOptionDoesNotPassIsLeftAlone) {
  sum({1}, {{option(0, 0, {{0, 1}}), option(1, 2, {{0, 1}})}});
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(0).size(), 4u);
  EXPECT_EQ(left(1).size(), 4u);
}

TEST_F(PropagatorSums, AStepAwayFromAValueLeavesAllOthers) {
  sum({1}, {{option(0, ~0, {{0, 1}}), option(0, ~0, {{0, 1}})}});
  ASSERT_FALSE(propagate());
  EXPECT_EQ(left(0), (Values{1, 2, 3}));
  ASSERT_TRUE(domains_->fix(p(0), 2));
  EXPECT_FALSE(propagate());
}

// What was struck from the lists comes back: the other option is there again.
TEST_F(PropagatorSums, UndoBringsOptionsBack) {
  sum({1}, {{option(0, 0, {{0, 1}}), option(0, 1, {{0, 1}})}});
  ASSERT_FALSE(propagate());
  const Propagator::Mark root = propagator_->mark();
  for (int value : {0, 1, 0}) {
    ASSERT_TRUE(domains_->fix(p(0), value));
    ASSERT_FALSE(propagate()) << value;
    propagator_->undo(root);
    EXPECT_EQ(left(0), (Values{0, 1}));
  }
}

}  // namespace
}  // namespace swizzle::sum_propagator_test
