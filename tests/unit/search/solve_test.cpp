// From a Problem to its Solution: outcomes, what is proved, and the options. With kernels: solve_sketches_test.cpp; the
// search: search*_test.cpp.
#include "synth/search/solve.h"

#include <new>
#include <set>

#include <gtest/gtest.h>

#include "synth/tables/shared_tables.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/problem_builder.h"
#include "tests/unit/random_problem.h"

namespace swizzle::solve_test {
namespace {

// y[lane] = x[f(lane)] on 4 lanes, through a lane hole.
class SolveLanes : public testing::Test {
 protected:
  using Values = std::vector<std::int16_t>;
  void need(const std::vector<int>& elements) {
    for (std::size_t lane = 0; lane < elements.size(); ++lane)
      b_.equation(b_.choice(b_.at(lanes_, lane), {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}), b_.x(elements[lane]));
  }
  // So that several tables do: y[lane] is x[0] wherever it comes from, but from one lane.
  void avoid(std::size_t lane, int value) {
    std::vector<Value> values(4, b_.x(0));
    values[static_cast<std::size_t>(value)] = b_.x(1);
    b_.equation(b_.choice(b_.at(lanes_, lane), values), b_.x(0));
  }
  Solution solved(SolveOptions options = {}) { return solve(b_.problem, options); }

  ProblemBuilder b_;
  const HoleId lanes_ = b_.transform(4);
};

TEST_F(SolveLanes, FindsTheOnlyTableAndProvesIt) {
  need({3, 2, 1, 0});
  const Solution s = solved();
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.optimality, Optimality::kProved);
  EXPECT_TRUE(s.exhausted);
  ASSERT_EQ(s.completions.size(), 1u);
  EXPECT_EQ(s.completions[0].tables[0].values, (Values{3, 2, 1, 0}));
  EXPECT_GT(s.raw_space, 0);
}

TEST_F(SolveLanes, WithoutATableThatFitsTheHoleIsNamed) {
  need({0, 0, 0, 1});
  const Solution s = solved();
  EXPECT_EQ(s.outcome, Outcome::kInfeasible);
  EXPECT_EQ(s.reason, "no grouping, fanning and rotation for the hole 0 gives what the outputs need");
  EXPECT_TRUE(s.completions.empty());
}

TEST_F(SolveLanes, WithoutWhatAnOutputNeedsTheOutputIsNamed) {
  need({3, 7, 1, 0});
  const Solution s = solved();
  EXPECT_EQ(s.outcome, Outcome::kInfeasible);
  EXPECT_EQ(s.reason, "y[1], written by thread 1, needs x[7], which no choice of the holes brings there");
}

TEST_F(SolveLanes, ARequirementThatNothingMeetsIsTheReason) {
  need({3, 2, 1, 0});
  b_.forbid(Value::integer(1));
  const Solution s = solved();
  EXPECT_EQ(s.outcome, Outcome::kInfeasible);
  EXPECT_EQ(s.reason, "forbidden");
}

TEST_F(SolveLanes, ARequirementExcludesTables) {
  avoid(0, 1);
  b_.forbid(b_.equal(b_.index(b_.at(lanes_, 2)), b_.index(b_.at(lanes_, 3))));
  const Solution s = solved();
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_NE(s.completions[0].tables[0].values[2], s.completions[0].tables[0].values[3]);
  EXPECT_EQ(s.completions[0].cost.total, least_cost(completions_of(b_.problem)));
}

TEST_F(SolveLanes, ADeadlineThatHasPassedIsUnknownAndNeverInfeasible) {
  need({0, 0, 0, 1});
  const Solution s = solved({.deadline = Deadline(-1)});
  EXPECT_EQ(s.outcome, Outcome::kUnknown);
  EXPECT_EQ(s.reason, "the time limit ended the search");
}

TEST_F(SolveLanes, AllListsEachTableOnceCheapestFirst) {
  avoid(0, 1);
  const std::vector<Completed> expected = completions_of(b_.problem);
  const Solution s = solved({.all = 1000});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_TRUE(s.exhausted);
  EXPECT_EQ(s.optimality, Optimality::kNotAsked);
  std::set<Values> tables;
  for (std::size_t i = 0; i < s.completions.size(); ++i) {
    EXPECT_TRUE(tables.insert(s.completions[i].tables[0].values).second);
    EXPECT_TRUE(i == 0 || s.completions[i - 1].cost.total <= s.completions[i].cost.total);
  }
  EXPECT_EQ(tables.size(), expected.size());
}

TEST_F(SolveLanes, AllUpToANumberIsNotExhausted) {
  avoid(0, 1);
  const Solution s = solved({.all = 3});
  EXPECT_EQ(s.completions.size(), 3u);
  EXPECT_FALSE(s.exhausted);
}

TEST_F(SolveLanes, TheFirstIsACompletionOfWhichNothingIsProved) {
  avoid(0, 1);
  const Solution s = solved({.first_only = true});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.optimality, Optimality::kNotAsked);
  EXPECT_FALSE(s.exhausted);
  EXPECT_NE(s.completions[0].tables[0].values[0], 1);
}

TEST_F(SolveLanes, OnlyWhatIsCheaperThanAskedForIsFound) {
  need({3, 2, 1, 0});
  const double cost = solved().completions[0].cost.total;
  EXPECT_EQ(solved({.below = cost + 1}).outcome, Outcome::kFound);
  EXPECT_EQ(solved({.below = cost}).outcome, Outcome::kInfeasible);
}

TEST_F(SolveLanes, TheMachineSaysWhatItCosts) {
  need({3, 2, 1, 0});
  b_.problem.counts.shuffles = 2;
  IssueCosts machine;
  machine.integer_op = 3;
  machine.shuffle = 10;
  const Cost cost = solved({.deadline = {}, .issue_costs = machine}).completions[0].cost;
  EXPECT_EQ(cost.shuffles, 2);
  EXPECT_EQ(cost.total, 20 + 3 * cost.integer_ops);
}

TEST_F(SolveLanes, WhatWasFoundBeforeTheDeadlineIsFound) {
  avoid(1, 1);
  SolveOptions options;
  options.when_found = [&] { options.deadline = Deadline(-1); };
  for (const std::size_t all : {0u, 1000u}) {
    options.all = all;
    options.deadline = Deadline();
    const Solution s = solve(b_.problem, options);
    ASSERT_EQ(s.outcome, Outcome::kFound) << all;
    EXPECT_EQ(s.completions.size(), 1u);
    EXPECT_FALSE(s.exhausted);
    if (all > 0) {
      EXPECT_EQ(s.reason, "the time limit ended the search");
    }
  }
}

Assignment assignment_of(const Problem& problem, const Completion& completion) {
  Assignment assignment(problem.points.size(), 0);
  for (std::size_t h = 0; h < problem.holes.size(); ++h)
    for (std::size_t i = 0; i < problem.holes[h].points.size(); ++i)
      assignment[problem.holes[h].points[i].value] = completion.tables[h].values[i];
  return assignment;
}

// The search may start again with an equation that it did not know, and may have forgotten what it had.
TEST(SolveCutShort, WhatMemoryEndsHasFoundWhatItFound) {
  std::size_t cut = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed)
    for (const Ring ring : {Ring::kSum, Ring::kXor, Ring::kMin})
      for (const std::size_t all : {0u, 1000u}) {
        RandomProblem p(seed, ring);
        SolveOptions options;
        options.all = all;
        std::size_t calls = 0;
        options.when_found = [&] {
          if (++calls == 2) throw std::bad_alloc();
        };
        const Solution s = solve(p.problem, options);
        ASSERT_EQ(s.outcome == Outcome::kFound, calls > 0) << seed;
        if (calls < 2) continue;
        ++cut;
        EXPECT_EQ(s.reason, "the search needs more than half of the memory");
        EXPECT_EQ(s.optimality, all > 0 ? Optimality::kNotAsked : Optimality::kBestFound);
        EXPECT_FALSE(s.exhausted);
        for (const Completion& c : s.completions) EXPECT_TRUE(solves(p.problem, assignment_of(p.problem, c))) << seed;
      }
  EXPECT_GT(cut, 50u);
}

TEST_F(SolveLanes, AHoleThatIsNeverAskedHasNoTable) {
  const HoleId unused = b_.hole(HoleKind::kCond, 2, {});
  need({3, 2, 1, 0});
  const Solution s = solved();
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_TRUE(s.completions[0].tables[unused.value].values.empty());
}

TEST_F(SolveLanes, TablesThatAreSharedAreTheSame) {
  SolveOptions options;
  options.shared = std::make_shared<SharedTables>();
  need({3, 2, 1, 0});
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(solved(options).completions.at(0).tables[0].values, (Values{3, 2, 1, 0}));
  EXPECT_EQ(options.shared->xforms.size(), 1u);
}

}  // namespace
}  // namespace swizzle::solve_test
