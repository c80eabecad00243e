#include "synth/base/hashes.h"

#include <bit>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace swizzle::hashes_test {
namespace {

TEST(Hashes, ASequenceGoesOnWhereItsSeedEnded) {
  const std::vector<int> whole{3, 1, 4, 1}, head{3, 1}, tail{4, 1};
  EXPECT_EQ(hash_of(hash_of(7, head), tail), hash_of(7, whole));
}

TEST(Hashes, TheOrderOfASequenceCounts) {
  EXPECT_NE(hash_of(0, std::vector<int>{1, 2}), hash_of(0, std::vector<int>{2, 1}));
}

TEST(Hashes, ScrambledTellsNumbersApart) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t x = 0; x < 10'000; ++x) seen.insert(scrambled(x));
  EXPECT_EQ(seen.size(), 10'000u);
}

TEST(Hashes, ScrambledChangesHalfOfTheBitsWhereOneChanges) {
  for (int bit = 0; bit < 64; ++bit) {
    int changed = 0;
    constexpr int kTrials = 200;
    for (std::uint64_t x = 0; x < kTrials; ++x)
      changed += std::popcount(scrambled(x) ^ scrambled(x ^ std::uint64_t{1} << bit));
    EXPECT_NEAR(static_cast<double>(changed) / kTrials, 32, 2) << bit;
  }
}

}  // namespace
}  // namespace swizzle::hashes_test
