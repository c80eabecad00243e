// Parts of a time limit, where that of the whole is lifted.
#include "synth/base/deadline.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace swizzle::test::deadline_test {
namespace {

TEST(Deadline, APartKeepsItsTimeWhereThatOfTheWholeIsLifted) {
  const auto lifted = std::make_shared<std::atomic<bool>>(false);
  const Deadline turn = Deadline(1000).within(50, lifted);
  const Deadline shorter = turn.within(10), longer = turn.within(100);
  EXPECT_LE(shorter.left(), 10);
  EXPECT_LE(longer.left(), 50);

  *lifted = true;
  EXPECT_GT(turn.left(), 100);
  EXPECT_LE(shorter.left(), 10);
  EXPECT_LE(longer.left(), 100);
  EXPECT_LE(turn.within(100).left(), 100);
  EXPECT_LE(turn.within(20).within(30).left(), 20);
}

// Of a process that does nothing, the time of a part goes by no sooner than the clock says it must.
TEST(Deadline, APartHasTimeLeftWhileTheProcessRests) {
  const Deadline part = Deadline(1000).within(0.05);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_GT(part.left(), 0);
  EXPECT_LE(part.left(), 0.05);
  EXPECT_FALSE(part.passed());
  EXPECT_GT(part.share(0.5).left(), 0);
}

TEST(Deadline, NeverIsWithoutAPart) {
  EXPECT_TRUE(Deadline().is_never());
  EXPECT_FALSE(Deadline().within(5).is_never());
  EXPECT_LE(Deadline().within(5).left(), 5);
}

TEST(Deadline, PatienceLengthensPartsButNoShares) {
  Deadline::set_patience(3);
  const Deadline part = Deadline(1000).within(50), share = Deadline(1000).share(0.1);
  Deadline::set_patience(1);
  EXPECT_GT(part.left(), 140);
  EXPECT_LE(part.left(), 150);
  EXPECT_GT(share.left(), 90);
  EXPECT_LE(share.left(), 100);
  EXPECT_TRUE(Deadline().share(0.5).is_never());
}

}  // namespace
}  // namespace swizzle::test::deadline_test
