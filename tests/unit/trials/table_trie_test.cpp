#include "synth/trials/table_trie.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/unit/hole_table.h"

namespace swizzle::table_trie_test {
namespace {

TEST(TableTrie, TablesThatBeginAlikeStandSideBySide) {
  const std::vector<HoleTable> tables{table({1, 0, 1}), table({0, 0, 1}), table({1, 0, 0})};
  const TableTrie trie({&tables[0], &tables[1], &tables[2]}, {3, 5, 2}, {{2}, {0, 1}});
  ASSERT_EQ(trie.all(), (TableTrie::Range{0, 3}));
  EXPECT_EQ(trie.alike(0, 0), (TableTrie::Range{0, 1}));  // the one that is 0 at position 2
  EXPECT_EQ(trie.alike(1, 0), (TableTrie::Range{1, 3}));
  EXPECT_EQ(trie.alike(1, 1), (TableTrie::Range{1, 2}));
  EXPECT_EQ(&trie.table(0), &tables[2]);
  EXPECT_EQ(&trie.table(1), &tables[1]);
}

TEST(TableTrie, APrefixCostsWhatItsCheapestTableDoes) {
  const std::vector<HoleTable> tables{table({1, 0}), table({0, 0}), table({1, 1})};
  const TableTrie trie({&tables[0], &tables[1], &tables[2]}, {3, 5, 2}, {{0}, {1}});
  EXPECT_EQ(trie.least(), 2);
  EXPECT_EQ(trie.least(0, 0), 5);
  EXPECT_EQ(trie.least(1, 0), 2);
  EXPECT_EQ(trie.least(1, 1), 3);
}

// Of 3 values at each of 3 points, two of which are decided first.
TEST(TableTrie, WhatMayBeAnythingIsNotListed) {
  const TableTrie trie(3, 7, {{2, 0}, {1}});
  ASSERT_EQ(trie.all(), (TableTrie::Range{0, 27}));
  EXPECT_EQ(trie.least(), 7);
  EXPECT_EQ(trie.least(5, 0), 7);
  EXPECT_EQ(trie.alike(0, 0), (TableTrie::Range{0, 3}));
  EXPECT_EQ(trie.alike(3, 0), (TableTrie::Range{3, 6}));
  EXPECT_EQ(trie.alike(4, 1), (TableTrie::Range{4, 5}));
  std::set<std::vector<std::int16_t>> seen;
  for (std::uint32_t t = 0; t < 27; ++t) seen.insert(trie.table(t).values);
  EXPECT_EQ(seen.size(), 27u);
  const std::vector<std::int16_t> fourth = trie.table(3).values, fifth = trie.table(4).values;
  EXPECT_EQ(fourth[2], fifth[2]);  // of one prefix
  EXPECT_EQ(fourth[0], fifth[0]);
  EXPECT_TRUE(TableTrie::fits(12, 32));
  EXPECT_FALSE(TableTrie::fits(13, 32));
}

}  // namespace
}  // namespace swizzle::table_trie_test
