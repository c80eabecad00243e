#include "synth/cost_bound.h"

#include <gtest/gtest.h>

namespace swizzle {
namespace {

// One hole that guards one accumulate in each of 32 iterations, for an output that needs `needed` of them.
double bound(HoleKind kind, std::size_t needed) {
  Problem problem;
  problem.holes.resize(1);
  problem.holes[0].kind = kind;
  problem.executions.assign(1, 32);
  problem.guarded.assign(1, Counts{});
  problem.guarded[0].accumulates = 32;
  Machine machine;
  machine.accumulate = 2;
  machine.integer_op = 1;
  return CostBound(problem, {{needed, {{0, 32}}}}, machine).beyond({0});
}

TEST(CostBound, AConditionThatIsNotTrueEverywhereIsAComparison) {
  EXPECT_EQ(bound(HoleKind::kCond, 32), 64);
  EXPECT_EQ(bound(HoleKind::kCond, 31), 96);
}

TEST(CostBound, ATransformationMayDifferFromThreadToThreadForNothing) { EXPECT_EQ(bound(HoleKind::kXform, 31), 64); }

}  // namespace
}  // namespace swizzle
