#include "synth/synthesis/layout_placement.h"

#include <gtest/gtest.h>

namespace swizzle::layout_placement_test {
namespace {

constexpr int kLanes = 32;

// A load by 32 lanes; `element_of` a lane and a value of the point, which has four.
template <typename ElementOf>
double least_of(int bits, SharedOperation operation, ElementOf&& element_of) {
  Problem problem;
  const PointId point = problem.points.intern(HoleId(0), {0}, 4);
  SharedAccess access;
  access.operation = operation;
  access.bits = bits;
  access.count = 1;
  for (int lane = 0; lane < kLanes; ++lane) {
    std::vector<Value> places;
    for (int v = 0; v < 4; ++v) {
      const int element = element_of(lane, v);
      places.push_back(element < 0 ? Value{} : Value::pointer(0, element));
    }
    access.lanes.push_back(problem.provenance.choice(point, places));
  }
  problem.shared_accesses = {access};
  return least_wavefronts(problem, SharedMemoryModel{});
}

TEST(LeastWavefronts, OneForEachPhaseOfAWideLoadWhoseLanesNeverAgree) {
  const auto exchanged = [](int lane, int v) { return lane ^ 1 << v; };
  EXPECT_EQ(least_of(32, SharedOperation::kLoad, exchanged), 1);
  EXPECT_EQ(least_of(64, SharedOperation::kLoad, exchanged), 2);
  EXPECT_EQ(least_of(128, SharedOperation::kLoad, exchanged), 4);
}

TEST(LeastWavefronts, HalfAsManyWhereEveryTwoLanesMayAgree) {
  for (const int distance : {1, 2})
    EXPECT_EQ(least_of(64, SharedOperation::kLoad, [&](int lane, int v) { return v == 2 ? lane & ~distance : lane; }),
              1);
  EXPECT_EQ(least_of(64, SharedOperation::kLoad, [](int lane, int v) { return v == 2 ? lane & ~4 : lane; }), 2);
}

TEST(LeastWavefronts, ALaneThatMayStayAwayAgreesWithAll) {
  const auto odd_lanes_may = [](int lane, int v) { return v == 1 && lane % 2 == 1 ? -1 : lane; };
  EXPECT_EQ(least_of(64, SharedOperation::kLoad, odd_lanes_may), 1);
}

TEST(LeastWavefronts, StoresDoNotMerge) {
  EXPECT_EQ(least_of(64, SharedOperation::kStore, [](int lane, int v) { return v == 2 ? lane & ~1 : lane; }), 2);
}

}  // namespace
}  // namespace swizzle::layout_placement_test
