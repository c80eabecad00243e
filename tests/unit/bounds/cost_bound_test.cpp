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
  problem.guarded.assign(1, Counts{});
  problem.guarded[0].accumulates = 32;
  IssueCosts machine;
  machine.accumulate = 2;
  machine.integer_op = 1;
  return CostBound(problem, {{needed, {{0, 32}}}}, {{0, 64, 96}}, machine).beyond({0});
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
  const GuardPrice open{0, 64, 96}, active{kInfinity, 64, 96};
  EXPECT_EQ(CostBound(problem, capacities, {open, open}, machine).beyond({0, 0}), 64 + 64 + 32);
  EXPECT_EQ(CostBound(problem, capacities, {active, open}, machine).beyond({96, 0}), 64);
  EXPECT_EQ(CostBound(problem, capacities, {active, active}, machine).beyond({96, 96}), 0);
  EXPECT_EQ(CostBound(problem, capacities, {active, {0, kInfinity, 96}}, machine).beyond({96, 0}), 96);
}

}  // namespace
}  // namespace swizzle::cost_bound_test
