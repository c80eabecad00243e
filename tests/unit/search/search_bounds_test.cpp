// What a node costs at least: bounds never exceed the cheapest completion, so that what is proved is true.
#include <gtest/gtest.h>

#include "synth/search/solve.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/random_problem.h"

namespace swizzle::search_bounds_test {
namespace {

// y[2 lane] and y[2 lane + 1] are x[0] and x[1], of two fetches that conditions share out among them.
class SearchBounds : public testing::Test {
 protected:
  void pose(double accumulates) {
    for (std::size_t lane = 0; lane < 2; ++lane) {
      const Value u = b_.choice(b_.at(first_, lane), {b_.x(0), b_.x(1)}),
                  v = b_.choice(b_.at(second_, lane), {b_.x(0), b_.x(1)});
      for (int output = 0; output < 2; ++output)
        b_.equation(b_.sum({b_.when(b_.at(guards_[static_cast<std::size_t>(2 * output)], lane), u),
                            b_.when(b_.at(guards_[static_cast<std::size_t>(2 * output + 1)], lane), v)}),
                    b_.x(output));
    }
    for (HoleId g : guards_) b_.guard(g, {.accumulates = accumulates});
  }

  ProblemBuilder b_{Ring::kXor};
  const HoleId first_ = b_.part(2, 2), second_ = b_.part(2, 2);
  const std::vector<HoleId> guards_{b_.condition(2), b_.condition(2), b_.condition(2), b_.condition(2)};
};

TEST_F(SearchBounds, TwoGuardsThatAreTrueEverywhereAreLessThanFourComparisons) {
  pose(32);
  const Solution s = solve(b_.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.optimality, Optimality::kProved);
  EXPECT_EQ(s.completions[0].cost.accumulates, 64);
  EXPECT_EQ(s.completions[0].cost.integer_ops, 0);
}

TEST_F(SearchBounds, GuardsThatMustDifferFromLaneToLaneCostTheirComparisons) {
  pose(32);
  b_.forbid(b_.equal(b_.index(b_.at(first_, 0)), b_.index(b_.at(first_, 1))));
  const std::vector<Completed> all = completions_of(b_.problem);
  const Solution s = solve(b_.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.completions[0].cost.total, least_cost(all));
  EXPECT_EQ(s.completions[0].cost.accumulates, 128);
}

TEST_F(SearchBounds, NothingCheaperIsFoundThanWhatTheBoundSays) {
  pose(32);
  const double least = least_cost(completions_of(b_.problem));
  EXPECT_EQ(solve(b_.problem, {.below = least}).outcome, Outcome::kInfeasible);
  EXPECT_EQ(solve(b_.problem, {.below = least + 1}).outcome, Outcome::kFound);
}

// Prices of all kinds, guards that cost next to nothing among them.
TEST_F(SearchBounds, WhatIsProvedIsTheLeastOfAll) {
  for (std::uint32_t seed = 6000; seed < 6080; ++seed) {
    RandomProblem random(seed, seed % 2 == 0 ? Ring::kXor : Ring::kSum);
    random.problem.guarded.clear();
    for (std::size_t h = 0; h < random.problem.holes.size(); ++h) {
      random.problem.executions[h] = static_cast<double>(random.random()() % 40) / 4;
      random.guard(HoleId(h),
                   {.accumulates = static_cast<double>(random.random()() % 4) / (1 + random.random()() % 8)});
    }
    const std::vector<Completed> all = completions_of(random.problem);
    const Solution s = solve(random.problem, {});
    ASSERT_EQ(s.outcome == Outcome::kFound, !all.empty()) << seed;
    if (!all.empty()) {
      EXPECT_NEAR(s.completions[0].cost.total, least_cost(all), 1e-6) << seed;
    }
  }
}

// Instructions that some points of a hole decide about, or points of several holes.
TEST_F(SearchBounds, WhatIsProvedIsTheLeastOfAllThatIsIssued) {
  for (std::uint32_t seed = 7000; seed < 7120; ++seed) {
    RandomProblem random(seed, seed % 2 == 0 ? Ring::kXor : Ring::kSum);
    random.guard_at_random(seed);
    const std::vector<Completed> all = completions_of(random.problem);
    const Solution s = solve(random.problem, {});
    ASSERT_EQ(s.outcome == Outcome::kFound, !all.empty()) << seed;
    if (all.empty()) continue;
    EXPECT_EQ(s.optimality, Optimality::kProved) << seed;
    EXPECT_NEAR(s.completions[0].cost.total, least_cost(all), 1e-6) << seed;
  }
}

// A condition over so many arguments that its tables are not listed.
class SearchBoundsOfManyTables : public testing::Test {
 protected:
  static std::vector<Arguments> arguments() {
    std::vector<Arguments> list;
    for (std::int64_t i = 0; i < 1024; ++i)
      list.push_back({i & 31, i >> 5, i * 7 % 61, i * i % 127, i * 13 % 257, i * 31 % 509, i});
    return list;
  }

  ProblemBuilder b_{Ring::kXor};
  const HoleId condition_ = b_.hole(HoleKind::kCond, 2, arguments()), lanes_ = b_.transform(4);
};

// What is 1 everywhere has no operation, and still costs what it guards: to rotate lanes is cheaper.
TEST_F(SearchBoundsOfManyTables, AGuardCostsWhatItGuards) {
  b_.guard(condition_, {.accumulates = 50});
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const Value needed = b_.x(static_cast<int>(lane + 1) % 4);
    b_.equation(b_.choice(b_.at(condition_, lane),
                          {b_.choice(b_.at(lanes_, lane), {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}), needed}),
                needed);
  }
  const Solution s = solve(b_.problem, {});
  ASSERT_EQ(s.outcome, Outcome::kFound);
  EXPECT_EQ(s.optimality, Optimality::kProved);
  EXPECT_EQ(s.completions[0].cost.accumulates, 0);
  EXPECT_EQ(s.completions[0].cost.total, 2);
}

// Of three conditions no two are equal: each class fails, and the next one costs 1000 more.
TEST_F(SearchBoundsOfManyTables, ClassesFarApartAreLeftBehind) {
  b_.problem.executions[condition_.value] = 1000;
  for (std::size_t i = 0; i < 3; ++i)
    b_.forbid(b_.equal(b_.index(b_.at(condition_, i)), b_.index(b_.at(condition_, (i + 1) % 3))));
  b_.equation(b_.choice(b_.at(lanes_, 0), {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}), b_.x(1));
  EXPECT_EQ(solve(b_.problem, {}).outcome, Outcome::kInfeasible);
}

}  // namespace
}  // namespace swizzle::search_bounds_test
