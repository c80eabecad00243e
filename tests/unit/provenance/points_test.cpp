#include "synth/provenance/points.h"

#include <gtest/gtest.h>

namespace swizzle::points_test {
namespace {

TEST(Points, AreThoseOfAHoleAndItsArguments) {
  PointTable points;
  const PointId p = points.intern(HoleId(0), {3, 1}, 4), q = points.intern(HoleId(2), {3, 1}, 8),
                r = points.intern(HoleId(0), {1, 3}, 4);
  EXPECT_EQ(points.size(), 3u);
  EXPECT_EQ(points.intern(HoleId(0), {3, 1}, 4), p);
  EXPECT_EQ(points.intern(HoleId(2), {3, 1}, 8), q);
  EXPECT_EQ(points.arguments(r), (Arguments{1, 3}));
  EXPECT_EQ(&points.arguments(p), &points.arguments(q));
  EXPECT_EQ(points[q].hole, HoleId(2));
}

// Whoever asks with another n is told of the first.
TEST(Points, TheDomainOfAHoleIsThatOfItsFirstPoint) {
  PointTable points;
  points.intern(HoleId(1), {0}, 4);
  points.intern(HoleId(1), {1}, 8);
  EXPECT_EQ(points.domain(HoleId(1)), 4);
}

}  // namespace
}  // namespace swizzle::points_test
