// Parts of a time limit, where that of the whole is lifted.
#include "synth/base/deadline.h"

#include <atomic>
#include <memory>

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

TEST(Deadline, NeverIsWithoutAPart) {
  EXPECT_TRUE(Deadline().is_never());
  EXPECT_FALSE(Deadline().within(5).is_never());
  EXPECT_LE(Deadline().within(5).left(), 5);
}

}  // namespace
}  // namespace swizzle::test::deadline_test
