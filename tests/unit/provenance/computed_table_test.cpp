#include "synth/provenance/computed_table.h"

#include <gtest/gtest.h>

namespace swizzle::computed_table_test {
namespace {

TEST(ComputedTable, FindsWhatItKeepsAndNothingElse) {
  ComputedTable table;
  EXPECT_FALSE(table.find({1, 7}));
  table.keep({1, 7}, Value::integer(3));
  ASSERT_TRUE(table.find({1, 7}));
  EXPECT_EQ(*table.find({1, 7}), Value::integer(3));
  EXPECT_FALSE(table.find({2, 7}));
  EXPECT_FALSE(table.find({1, 8}));
}

// Some of many take each other's places; none is ever found in another's.
TEST(ComputedTable, LosesSomeOfManyAndMistakesNone) {
  ComputedTable table;
  constexpr std::uint64_t kMany = 300'000;
  for (std::uint64_t n = 0; n < kMany; ++n) table.keep({1 + n % 3, n}, Value::integer(static_cast<std::int64_t>(n)));
  std::uint64_t found = 0;
  for (std::uint64_t n = 0; n < kMany; ++n) {
    const auto known = table.find({1 + n % 3, n});
    if (!known) continue;
    ++found;
    ASSERT_EQ(*known, Value::integer(static_cast<std::int64_t>(n)));
  }
  EXPECT_GT(found, kMany / 10);
  EXPECT_LT(found, kMany);
}

}  // namespace
}  // namespace swizzle::computed_table_test
