#include "synth/base/nearest.h"

#include <gtest/gtest.h>

namespace swizzle::nearest_test {
namespace {

TEST(Nearest, CountsLettersPutInTakenOutChangedAndSwapped) {
  EXPECT_EQ(edit_distance("launch", "launch"), 0);
  EXPECT_EQ(edit_distance("lunch", "launch"), 1);
  EXPECT_EQ(edit_distance("sw_xfrom", "sw_xform"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, CountsNoFurtherThanAsked) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3);
  EXPECT_GT(edit_distance("kitten", "sitting", 2), 2);
  EXPECT_EQ(edit_distance("ba", "ab", 1), 1);  // both rows before the swap is seen hold 1 and more
  EXPECT_GT(edit_distance("threadIdx", "blockDim", 1), 1);
}

TEST(Nearest, NamesWhatIsNearAndNothingElse) {
  EXPECT_EQ(did_you_mean("lunch", {"instance", "launch"}), "; did you mean 'launch'?");
  EXPECT_EQ(did_you_mean("abacus", {"instance", "launch"}), "");
  EXPECT_EQ(did_you_mean("x", {"y"}), "");
  EXPECT_EQ(did_you_mean("word", {}), "");
}

}  // namespace
}  // namespace swizzle::nearest_test
