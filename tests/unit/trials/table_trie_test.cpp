#include "synth/trials/table_trie.h"

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

}  // namespace
}  // namespace swizzle::table_trie_test
