#include "synth/tables/binary_nogoods.h"

#include <gtest/gtest.h>

namespace swizzle::binary_nogoods_test {
namespace {

using Points = std::vector<BinaryNogoods::Word>;

TEST(BinaryNogoods, AreFoundAmongThePointsThatHaveAValue) {
  BinaryNogoods pairs(100, 3);
  EXPECT_TRUE(pairs.empty());
  pairs.add(2, 0, 70, 1);
  pairs.add(3, 2, 99, 2);
  EXPECT_FALSE(pairs.empty());
  ASSERT_EQ(pairs.words_for_points(), 2u);
  EXPECT_FALSE(pairs.allows(1, Points{1 << 2, 0, 0, 1 << 6, 0, 0}));  // 2 has 0, 70 has 1
  EXPECT_TRUE(pairs.allows(1, Points{0, 1 << 6, 1 << 2, 0, 0, 0}));   // the other way round
  EXPECT_FALSE(pairs.allows(2, Points{0, 0, 0, 0, 1 << 3, std::uint64_t{1} << 35}));
  EXPECT_TRUE(pairs.allows(2, Points{0, 0, 0, std::uint64_t{1} << 35, 1 << 3, 0}));
}

// Leaving some out is right: less is excluded.
TEST(BinaryNogoods, TakeNoMoreThanTheyMay) {
  constexpr int kPoints = 1024, kValues = 1024;
  BinaryNogoods pairs(kPoints, kValues);
  for (int p = 0; p + 1 < kPoints; ++p) pairs.add(static_cast<std::size_t>(p), 0, static_cast<std::size_t>(p) + 1, 0);
  Points first(pairs.words(), 0), last(pairs.words(), 0);
  first[0] = 3;
  last[kPoints / 64 - 1] = std::uint64_t{3} << 62;
  EXPECT_FALSE(pairs.allows(0, first));
  EXPECT_TRUE(pairs.allows(0, last));
}

}  // namespace
}  // namespace swizzle::binary_nogoods_test
