#include "synth/base/deadline.h"

#include <limits>
#include <thread>

#include <gtest/gtest.h>

namespace swizzle::deadline_test {
namespace {

using std::chrono::milliseconds;

void work_for(milliseconds time) {
  const std::clock_t end = (std::clock)() + time.count() * CLOCKS_PER_SEC / 1000;
  while ((std::clock)() < end) continue;
}

TEST(Deadline, IsNeverByDefaultOrFarAway) {
  EXPECT_FALSE(Deadline().passed());
  EXPECT_FALSE(Deadline(1e300).passed());
  EXPECT_FALSE(Deadline().within(1e300).passed());
  EXPECT_TRUE(Deadline().within(1e300).is_never());
  EXPECT_TRUE(Deadline(-1).passed());
}

// The process waits as it would while others have the processors.
TEST(Deadline, APartIsOfWorkNotOfTime) {
  const Deadline part = Deadline().within(0.25);
  std::this_thread::sleep_for(milliseconds(260));
  EXPECT_FALSE(part.passed());
  EXPECT_FALSE(part.within(1).is_never());
  work_for(milliseconds(250));
  EXPECT_TRUE(part.passed());
  EXPECT_TRUE(part.within(1).passed());
}

TEST(Deadline, APartThatNeverWorksEndsAllTheSame) {
  const Deadline part = Deadline().within(0.01);
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_TRUE(part.passed());
}

TEST(Deadline, TheWholeEndsInTime) {
  const Deadline whole(0.02);
  std::this_thread::sleep_for(milliseconds(40));
  EXPECT_TRUE(whole.passed());
  EXPECT_TRUE(whole.within(1).passed());
}

TEST(Deadline, OfPartsOfPartsTheSoonestCounts) {
  const Deadline part = Deadline().within(0.05), longer = part.within(10), shorter = longer.within(0.001);
  work_for(milliseconds(10));
  EXPECT_TRUE(shorter.passed());
  work_for(milliseconds(50));
  EXPECT_TRUE(longer.passed());
}

TEST(Deadline, WhatIsLeftIsNoMoreThanThePartThatEndsSoonest) {
  EXPECT_EQ(Deadline().left(), std::numeric_limits<double>::infinity());
  const Deadline whole(1000);
  EXPECT_LE(whole.left(), 1000);
  EXPECT_GT(whole.left(), 0);
  EXPECT_LE(whole.within(5).left(), 5);
  EXPECT_LE(whole.within(5000).left(), 1000);
}

}  // namespace
}  // namespace swizzle::deadline_test
