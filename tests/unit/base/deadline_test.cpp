#include "synth/base/deadline.h"

#include <gtest/gtest.h>

namespace swizzle::deadline_test {
namespace {

TEST(Deadline, IsNeverByDefaultOrFarAway) {
  EXPECT_FALSE(Deadline().passed());
  EXPECT_FALSE(Deadline(1e300).passed());
  EXPECT_TRUE(Deadline(-1).passed());
}

}  // namespace
}  // namespace swizzle::deadline_test
