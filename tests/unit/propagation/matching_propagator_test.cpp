// Matchings: which tuple is which monomial, and which guards follow. Each rule where it applies and where it does not.
#include <gtest/gtest.h>

#include "synth/propagation/propagator.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::matching_propagator_test {
namespace {

// Sums over 32-bit integers; fetches are choices of x at points of a hole of 12 values.
class PropagatorMatchings : public testing::Test {
 protected:
  static constexpr int kValues = 12;

  // Of x, one element for each of these and nothing for the other values.
  Value fetch(std::size_t point, const std::vector<int>& elements) {
    std::vector<Value> values(kValues);
    for (int e : elements) values[static_cast<std::size_t>(e)] = b_.x(e);
    return b_.choice(p(point), values);
  }
  Value all_of(int elements) {
    std::vector<Value> values;
    for (int e = 0; e < elements; ++e) values.push_back(b_.x(e));
    return b_.sum(values);
  }
  // One output that is the sum of these fetches, and needs x[0] … x[fetches - 1].
  void pose(const std::vector<std::vector<int>>& elements) {
    std::vector<Value> fetches;
    for (std::size_t f = 0; f < elements.size(); ++f) fetches.push_back(fetch(f, elements[f]));
    b_.equation(b_.sum(fetches), all_of(static_cast<int>(elements.size())));
  }
  bool start() {
    EXPECT_FALSE(b_.compile(network_));
    EXPECT_EQ(network_.sums.size(), 0u) << "all is exact";
    domains_.emplace(b_.problem.points);
    propagator_.emplace(network_, b_.problem, *domains_);
    return propagate();
  }
  bool propagate() {
    conflict_ = propagator_->propagate();
    return !conflict_;
  }
  std::vector<int> left(PointId point) const {
    std::vector<int> values;
    for (int v = 0; v < b_.problem.points[point].domain; ++v)
      if (domains_->allows(point, v)) values.push_back(v);
    return values;
  }
  PointId p(std::size_t i) const { return b_.at(lanes_, i); }
  PointId c(std::size_t i) const { return b_.at(conditions_, i); }

  ProblemBuilder b_{Ring::kSum, Scalar::kI32};
  const HoleId lanes_ = b_.transform(kValues), conditions_ = b_.condition(4);
  ConstraintNetwork network_;
  std::optional<Domains> domains_;
  std::optional<Propagator> propagator_;
  std::optional<Conflict> conflict_;
};

using Values = std::vector<int>;

TEST_F(PropagatorMatchings, AFetchIsWhatSomeMonomialNeeds) {
  pose({{0, 1, 2, 3}, {0, 1}});
  ASSERT_TRUE(start());
  EXPECT_EQ(left(p(0)), (Values{0, 1}));
  EXPECT_EQ(left(p(1)), (Values{0, 1}));
  EXPECT_EQ(left(p(2)).size(), 12u) << "it is not asked";
}

TEST_F(PropagatorMatchings, SingleTupleTakesItsMonomialFromTheOthers) {
  pose({{0, 1}, {0, 1}});
  ASSERT_TRUE(start());
  EXPECT_EQ(left(p(1)), (Values{0, 1}));
  ASSERT_TRUE(domains_->fix(p(0), 1));
  ASSERT_TRUE(propagate());
  EXPECT_EQ(left(p(1)), (Values{0}));
}

TEST_F(PropagatorMatchings, TwoSinglesOfOneMonomialAreAConflict) {
  pose({{0, 1}, {0, 1}});
  ASSERT_TRUE(start());
  ASSERT_TRUE(domains_->fix(p(0), 1) && domains_->fix(p(1), 1));
  EXPECT_FALSE(propagate());
}

// Nine that may be the same nine are too many to be looked for as a set: what is left is what only one can be.
TEST_F(PropagatorMatchings, AMonomialThatOneTupleCanBeIsThatTuple) {
  std::vector<Values> elements(9, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  elements.push_back({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  pose(elements);
  ASSERT_TRUE(start());
  EXPECT_EQ(left(p(9)), (Values{9}));
  EXPECT_EQ(left(p(0)).size(), 9u);
}

TEST_F(PropagatorMatchings, AMonomialThatTwoTuplesCanBeIsOpen) {
  std::vector<Values> elements(8, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  elements.resize(10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  pose(elements);
  ASSERT_TRUE(start());
  EXPECT_EQ(left(p(8)).size(), 10u);
}

// A Hall set of two tuples; C and D are left with more than one monomial each, each of which both can be.
TEST_F(PropagatorMatchings, TuplesThatShareAsManyMonomialsKeepThem) {
  pose({{0, 1}, {0, 1}, {0, 1, 2, 3}, {0, 1, 2, 3}});
  ASSERT_TRUE(start());
  EXPECT_EQ(left(p(0)), (Values{0, 1}));
  EXPECT_EQ(left(p(2)), (Values{2, 3}));
  EXPECT_EQ(left(p(3)), (Values{2, 3}));
}

TEST_F(PropagatorMatchings, TuplesThatShareMoreMonomialsLeaveThemToOthers) {
  pose({{0, 1, 2}, {0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2, 3}});
  ASSERT_TRUE(start());
  EXPECT_EQ(left(p(2)), (Values{0, 1, 2, 3}));
}

TEST_F(PropagatorMatchings, TuplesThatShareFewerMonomialsAreAConflict) {
  pose({{0, 1}, {0, 1}, {0, 1}, {0, 1, 2, 3}, {0, 1, 2, 3, 4}});
  EXPECT_FALSE(start());
}

TEST_F(PropagatorMatchings, TheConflictNamesWhatNoTupleCanBe) {
  pose({{0, 1}, {0, 1}});
  ASSERT_TRUE(start());
  ASSERT_TRUE(domains_->fix(p(0), 1) && domains_->fix(p(1), 1));
  ASSERT_FALSE(propagate());
  propagator_->name_missing(*conflict_);
  EXPECT_EQ(conflict_->missing, b_.x(0));
}

TEST_F(PropagatorMatchings, AGuardHoldsWhereItsOutputNeedsTheTupleWhateverItIs) {
  const Value fetched = fetch(0, {0, 1});
  b_.equation(b_.when(c(0), fetched), b_.x(0));
  b_.equation(b_.when(c(1), fetched), Value::integer(0));
  ASSERT_TRUE(start());
  EXPECT_EQ(left(p(0)), (Values{0}));
  EXPECT_EQ(left(c(0)), (Values{1}));
  EXPECT_EQ(left(c(1)), (Values{0})) << "of what y[1] needs, it is nothing";
}

TEST_F(PropagatorMatchings, AGuardIsOpenWhereTheTupleMayBeOneOrTheOther) {
  const Value f = fetch(0, {0, 1}), g = fetch(1, {0, 1});
  b_.equation(b_.sum({b_.when(c(0), f), b_.when(c(1), g)}), b_.x(0));
  b_.equation(b_.sum({b_.when(c(2), f), b_.when(c(3), g)}), b_.x(1));
  ASSERT_TRUE(start());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(left(c(i)), (Values{0, 1})) << i;
  // What is not added to y[0] is not what it needs: f is x[1], and g is x[0].
  ASSERT_TRUE(domains_->fix(c(0), 0));
  ASSERT_TRUE(propagate());
  EXPECT_EQ(left(p(0)), (Values{1}));
  EXPECT_EQ(left(p(1)), (Values{0}));
  EXPECT_EQ(left(c(1)), (Values{1}));
  EXPECT_EQ(left(c(2)), (Values{1}));
  EXPECT_EQ(left(c(3)), (Values{0}));
}

TEST_F(PropagatorMatchings, AnAlternativeHasTheCoefficientThatIsNeeded) {
  const Value f = fetch(0, {0, 1}), negative = b_.product(Value::integer(-1), f);
  b_.equation(b_.choice(c(0), {negative, f}), b_.product(Value::integer(-1), b_.x(0)));
  ASSERT_TRUE(start());
  EXPECT_EQ(left(c(0)), (Values{0}));
  EXPECT_EQ(left(p(0)), (Values{0}));
}

// a0·b0 + a0·b1 + a1·b0 + a1·b1: the fetches of one operand differ, whatever the other is.
class PropagatorMatchingsOfProducts : public PropagatorMatchings {
 protected:
  void SetUp() override {
    const auto of = [&](PointId point, Value first, Value second) { return b_.choice(point, {first, second}); };
    const Value u = of(c(0), b_.a(0), b_.a(1)), v = of(c(1), b_.a(0), b_.a(1)), s = of(c(2), b_.b(0), b_.b(1)),
                t = of(c(3), b_.b(0), b_.b(1));
    b_.equation(b_.sum({b_.product(u, s), b_.product(u, t), b_.product(v, s), b_.product(v, t)}),
                b_.sum({b_.product(b_.a(0), b_.b(0)), b_.product(b_.a(0), b_.b(1)), b_.product(b_.a(1), b_.b(0)),
                        b_.product(b_.a(1), b_.b(1))}));
  }
};

TEST_F(PropagatorMatchingsOfProducts, TuplesThatDifferInOneFetchOnlyDifferThere) {
  ASSERT_TRUE(start());
  EXPECT_EQ(left(c(3)), (Values{0, 1}));
  ASSERT_TRUE(domains_->fix(c(2), 0));
  ASSERT_TRUE(propagate());
  EXPECT_EQ(left(c(3)), (Values{1}));
  EXPECT_EQ(left(c(0)), (Values{0, 1})) << "which of the two comes first is open";
  EXPECT_EQ(left(c(1)), (Values{0, 1}));
}

TEST_F(PropagatorMatchingsOfProducts, HoldWithAllPointsFixedOnlyIfEachProductIsThereOnce) {
  ASSERT_TRUE(start());
  const Propagator::Mark root = propagator_->mark();
  const auto holds = [&](Values values) {
    bool fits = true;
    for (std::size_t i = 0; i < values.size(); ++i) fits = fits && domains_->fix(c(i), values[i]);
    fits = fits && propagator_->matchings_hold();
    propagator_->undo(root);
    return fits;
  };
  EXPECT_TRUE(holds({0, 1, 1, 0}));
  EXPECT_TRUE(holds({1, 0, 1, 0}));
  EXPECT_FALSE(holds({0, 0, 1, 0}));
  EXPECT_FALSE(holds({0, 1, 1, 1}));
}

TEST_F(PropagatorMatchings, SuppliesTellWhatEachHoleCanBringBeyondWhatSurelyComes) {
  const Value f = fetch(0, {0, 1}), g = fetch(1, {0, 1});
  b_.equation(b_.sum({f, b_.when(c(1), g)}), b_.sum({b_.x(0), b_.x(1)}));
  ASSERT_FALSE(b_.compile(network_));
  domains_.emplace(b_.problem.points);
  propagator_.emplace(network_, b_.problem, *domains_);
  const std::vector<Capacity> open = propagator_->capacities();
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].needed, 1u);
  EXPECT_EQ(open[0].offered, (std::vector<std::pair<std::size_t, std::size_t>>{{conditions_.value, 1}}));
  ASSERT_TRUE(propagate());  // and then it surely comes
  EXPECT_EQ(propagator_->capacities()[0].needed, 0u);
  EXPECT_TRUE(propagator_->capacities()[0].offered.empty());
}

}  // namespace
}  // namespace swizzle::matching_propagator_test
