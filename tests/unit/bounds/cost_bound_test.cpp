#include "synth/bounds/cost_bound.h"

#include <limits>

#include <gtest/gtest.h>

namespace swizzle::cost_bound_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One hole that guards one accumulate in each of 32 iterations, for an output that needs `needed` of them.
double bound(HoleKind kind, std::size_t needed) {
  Problem problem;
  problem.holes.resize(1);
  problem.holes[0].kind = kind;
  problem.executions.assign(1, 32);
  IssueCosts machine;
  machine.accumulate = 2;
  machine.integer_op = 1;
  return CostBound(problem, {{needed, {{0, 32}}}}, {{0, 64, 96, 64}}, machine).beyond({{0}, {0}});
}

TEST(CostBound, AConditionThatIsNotTrueEverywhereIsAComparison) {
  EXPECT_EQ(bound(HoleKind::kCond, 32), 64);
  EXPECT_EQ(bound(HoleKind::kCond, 31), 96);
}

TEST(CostBound, ATransformationMayDifferFromThreadToThreadForNothing) { EXPECT_EQ(bound(HoleKind::kXform, 31), 64); }

// Two conditions, each of which may bring up to 32 of the 40 products that are needed.
TEST(CostBound, WhatIsKnownToBringSomethingIsNotCountedTwice) {
  Problem problem;
  problem.holes.resize(2);
  for (HoleSpace& s : problem.holes) s.kind = HoleKind::kCond;
  problem.executions.assign(2, 32);
  const IssueCosts machine;
  const std::vector<Capacity> capacities{{40, {{0, 32}, {1, 32}}}};
  const GuardPrice open{0, 64, 96, 64}, active{kInfinity, 64, 96, 64};
  EXPECT_EQ(CostBound(problem, capacities, {open, open}, machine).beyond({{0, 0}, {0, 0}}), 64 + 64 + 32);
  EXPECT_EQ(CostBound(problem, capacities, {active, open}, machine).beyond({{96, 0}, {96, 0}}), 64);
  EXPECT_EQ(CostBound(problem, capacities, {active, active}, machine).beyond({{96, 96}, {96, 96}}), 0);
  EXPECT_EQ(CostBound(problem, capacities, {active, {0, kInfinity, 96}}, machine).beyond({{96, 0}, {96, 0}}), 96);
}

// Two conditions share 32 products out, 20 to one output and 12 to another: each accumulate brings one.
TEST(CostBound, WhatOutputsNeedIsIssuedHoweverCheapAComparisonMayBe) {
  Problem problem;
  problem.holes.resize(2);
  for (HoleSpace& s : problem.holes) s.kind = HoleKind::kCond;
  problem.executions.assign(2, 32);
  const IssueCosts machine;
  const std::vector<Capacity> capacities{{20, {{0, 32}}}, {12, {{1, 32}}}};
  const GuardPrice open{0, 64, 32 + 2, 64, 32};  // compared, and true in one iteration
  const std::vector<GuardPrice> prices{open, open};
  const KnownCosts nothing{{0, 0}, {0, 0}};
  EXPECT_EQ(CostBound(problem, capacities, prices, machine, {{0, 1}}).beyond(nothing), 2 * 34);
  const ProductPrices products{{{0, 2}}, {{1, 2}}};
  EXPECT_EQ(CostBound(problem, capacities, prices, machine, {{0, 1}}, products).beyond(nothing),
            2 * 20 + 2 * 12 + 2 * 32);
}

}  // namespace
}  // namespace swizzle::cost_bound_test
