// The rules together, measured against all assignments of random small problems; each rule alone is in
// propagator_*_test.cpp.
#include "synth/propagation/propagator.h"

#include <gtest/gtest.h>

#include "tests/unit/brute_force.h"
#include "tests/unit/random_problem.h"

namespace swizzle::propagator_test {
namespace {

constexpr std::uint32_t kProblems = 120;

class PropagatorOf : public testing::TestWithParam<Ring> {};

TEST_P(PropagatorOf, RandomProblemsStrikesOutNoValueOfASolution) {
  std::size_t narrowed = 0, refuted = 0, solved = 0;
  for (std::uint32_t seed = 0; seed < kProblems; ++seed) {
    RandomProblem random(seed, GetParam());
    const std::vector<Assignment> solutions = solutions_of(random.problem);
    ConstraintNetwork network;
    if (random.compile(network)) {
      EXPECT_TRUE(solutions.empty()) << seed;
      ++refuted;
      continue;
    }
    Domains domains(random.problem.points);
    Propagator propagator(network, random.problem, domains);
    if (propagator.propagate()) {
      EXPECT_TRUE(solutions.empty()) << seed;
      ++refuted;
      continue;
    }
    for (const Assignment& s : solutions) EXPECT_TRUE(lies_within(s, domains)) << seed;
    narrowed += domains.mark() > 0 ? 1 : 0;
    solved += solutions.empty() ? 0 : 1;
  }
  EXPECT_GT(narrowed, 0u);
  EXPECT_GT(refuted, 0u);
  EXPECT_GT(solved, kProblems / 3);
}

// Down to the leaves and up again: each solution survives on the way to it, and undo() brings back what was.
TEST_P(PropagatorOf, RandomProblemsFollowsSolutionsDownAndComesBack) {
  for (std::uint32_t seed = 0; seed < kProblems; ++seed) {
    RandomProblem random(seed, GetParam());
    const std::vector<Assignment> solutions = solutions_of(random.problem);
    ConstraintNetwork network;
    if (random.compile(network)) continue;
    Domains domains(random.problem.points);
    Propagator propagator(network, random.problem, domains);
    if (propagator.propagate()) continue;
    const Propagator::Mark root = propagator.mark();
    const std::vector<Domains::Word> before = left_of(domains);
    for (std::size_t s = 0; s < solutions.size(); s += solutions.size() / 4 + 1) {
      for (std::size_t p = 0; p < domains.points(); ++p) {
        ASSERT_TRUE(domains.fix(PointId(p), solutions[s][p])) << seed;
        ASSERT_FALSE(propagator.propagate()) << seed << ", point " << p;
      }
      EXPECT_TRUE(propagator.matchings_hold()) << seed;
      propagator.undo(root);
      EXPECT_EQ(left_of(domains), before) << seed;
    }
  }
}

// What propagation leaves of all points fixed at random is a contradiction, or what no matching objects to.
TEST_P(PropagatorOf, RandomProblemsRefusesWhatFailsInAMatchingOnceAllIsFixed) {
  std::size_t held = 0, failed = 0;
  for (std::uint32_t seed = 0; seed < kProblems / 2; ++seed) {
    RandomProblem random(seed, GetParam());
    ConstraintNetwork network;
    if (random.compile(network)) continue;
    for (int round = 0; round < 20; ++round) {
      Domains domains(random.problem.points);
      Propagator propagator(network, random.problem, domains);
      Assignment assignment;
      for (std::size_t p = 0; p < domains.points(); ++p) {
        assignment.push_back(
            static_cast<int>(random.random()() % static_cast<unsigned>(random.problem.points[PointId(p)].domain)));
        ASSERT_TRUE(domains.fix(PointId(p), assignment.back()));
      }
      bool exact_hold = true;
      for (std::size_t e = 0; e < random.problem.equations.size(); ++e)
        exact_hold = exact_hold && (!network.exact[e] || equation_holds(random.problem, e, assignment));
      const bool holds = propagator.matchings_hold();
      EXPECT_TRUE(!holds || exact_hold) << seed;
      if (!exact_hold) {
        EXPECT_FALSE(holds) << seed;
      }
      ++(holds ? held : failed);
    }
  }
  EXPECT_GT(held, 0u);
  if (!is_set(GetParam())) {
    EXPECT_GT(failed, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(InRings, PropagatorOf, testing::Values(Ring::kSum, Ring::kXor, Ring::kMin),
                         [](const auto& info) {
                           return info.param == Ring::kSum ? "Sum" : info.param == Ring::kXor ? "Xor" : "Min";
                         });

// y[0] = x[3] and y[1] = x[0], each fetched from a lane that a hole says.
class PropagatorOfTwoLanes : public testing::Test {
 protected:
  PropagatorOfTwoLanes() {
    for (std::size_t lane = 0; lane < 2; ++lane)
      b_.equation(b_.choice(b_.at(lanes_, lane), {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}), b_.x(lane == 0 ? 3 : 0));
    EXPECT_FALSE(b_.compile(network_));
    domains_.emplace(b_.problem.points);
    propagator_.emplace(network_, b_.problem, *domains_);
  }
  std::shared_ptr<const TableList> tables(std::vector<std::vector<std::int16_t>> values) const {
    std::vector<HoleTable> list;
    for (std::vector<std::int16_t>& v : values) list.push_back({std::move(v), IndexExpr::constant(0), 0});
    return std::make_shared<TableList>(std::move(list), 4, 4);
  }

  ProblemBuilder b_;
  const HoleId lanes_ = b_.transform(4);
  ConstraintNetwork network_;
  std::optional<Domains> domains_;
  std::optional<Propagator> propagator_;
};

TEST_F(PropagatorOfTwoLanes, ListedTablesSpreadWhatIsKnown) {
  propagator_->add_table(b_.space(lanes_), tables({{3, 0, 1, 2}, {3, 0, 2, 2}, {0, 1, 2, 3}}));
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_FALSE(domains_->allows(b_.at(lanes_, 2), 3));
  EXPECT_EQ(domains_->count(b_.at(lanes_, 2)), 2);
  EXPECT_EQ(domains_->first(b_.at(lanes_, 3)), 2);
  EXPECT_TRUE(propagator_->table_of(b_.space(lanes_))->is_live(1));
  EXPECT_FALSE(propagator_->table_of(b_.space(lanes_))->is_live(2));
}

TEST_F(PropagatorOfTwoLanes, NoListedTableThatFitsNamesTheHole) {
  propagator_->add_table(b_.space(lanes_), tables({{0, 1, 2, 3}}));
  const auto conflict = propagator_->propagate();
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->hole, lanes_);
}

TEST_F(PropagatorOfTwoLanes, AnInterruptIsNoContradiction) {
  propagator_->set_interrupt([] { return true; });
  const auto conflict = propagator_->propagate();
  ASSERT_TRUE(conflict);
  EXPECT_TRUE(conflict->interrupted);
}

TEST_F(PropagatorOfTwoLanes, AsksOnlyWhereSomeAlternativeDoes) {
  EXPECT_EQ(propagator_->relevant_positions(b_.space(lanes_)), (std::vector<std::size_t>{0, 1}));
}

TEST_F(PropagatorOfTwoLanes, KnowsThatSomePointIsNotZero) {
  EXPECT_FALSE(propagator_->is_nonzero(lanes_.value));
  const Propagator::Mark before = propagator_->mark();
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_TRUE(propagator_->is_nonzero(lanes_.value));  // y[0] comes from lane 3
  propagator_->undo(before);
  EXPECT_FALSE(propagator_->is_nonzero(lanes_.value));
}

TEST_F(PropagatorOfTwoLanes, ConflictsWeighOnThePointsThatAreWatched) {
  ASSERT_TRUE(domains_->fix(b_.at(lanes_, 0), 1));
  ASSERT_TRUE(propagator_->propagate());
  EXPECT_EQ(propagator_->conflict_weight(b_.at(lanes_, 0)), 1u);
  EXPECT_EQ(propagator_->conflict_weight(b_.at(lanes_, 1)), 0u);
}

// The constraint that refuted one table refutes the next, and leaves no trace; a table that it does not refute is not
// refuted at once.
TEST(Propagator, WhatRefutedATableIsAskedFirstAboutTheNext) {
  ProblemBuilder b;
  const HoleId lanes = b.transform(2);
  const auto fetch = [&](std::size_t lane) { return b.choice(b.at(lanes, lane), {b.x(0), b.x(1)}); };
  b.equation(b.sum({fetch(0), fetch(1)}), b.sum({b.x(0), b.x(1)}));
  ConstraintNetwork network;
  ASSERT_FALSE(b.compile(network));
  Domains domains(b.problem.points);
  Propagator propagator(network, b.problem, domains);
  ASSERT_FALSE(propagator.propagate());
  const Propagator::Mark root = propagator.mark();
  const std::vector<Domains::Word> before = left_of(domains);
  const HoleTable wrong{{1, 1}, IndexExpr::constant(1), 0}, right{{1, 0}, IndexExpr::constant(0), 0};
  EXPECT_FALSE(propagator.refutes_at_once(b.space(lanes), wrong)) << "nothing was refuted yet";
  ASSERT_TRUE(domains.fix(b.at(lanes, 0), 0) && domains.fix(b.at(lanes, 1), 0));
  ASSERT_TRUE(propagator.propagate());
  propagator.undo(root);
  EXPECT_TRUE(propagator.refutes_at_once(b.space(lanes), wrong));
  EXPECT_EQ(left_of(domains), before);
  EXPECT_FALSE(propagator.refutes_at_once(b.space(lanes), right));
  EXPECT_EQ(left_of(domains), before);
}

TEST_F(PropagatorOfTwoLanes, TakesInWhatIsAddedToTheNetwork) {
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_EQ(domains_->count(b_.at(lanes_, 2)), 4);
  const std::size_t e = b_.equation(b_.choice(b_.at(lanes_, 2), {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}), b_.x(1));
  ASSERT_FALSE(add_equations(b_.problem, {e}, network_));
  propagator_->extend();
  ASSERT_FALSE(propagator_->propagate());
  EXPECT_EQ(domains_->first(b_.at(lanes_, 2)), 1);
  EXPECT_EQ(domains_->count(b_.at(lanes_, 2)), 1);
}

}  // namespace
}  // namespace swizzle::propagator_test
