#include "synth/tables/table_groups.h"

#include <gtest/gtest.h>

namespace swizzle::table_groups_test {
namespace {

std::vector<const HoleTable*> pointers(const std::vector<HoleTable>& tables) {
  std::vector<const HoleTable*> all;
  for (const HoleTable& t : tables) all.push_back(&t);
  return all;
}

std::vector<HoleTable> tables_of(const std::vector<std::vector<std::int16_t>>& values) {
  std::vector<HoleTable> tables;
  for (const auto& v : values) tables.push_back({v, IndexExpr::constant(0), 0});
  return tables;
}

TEST(TableGroups, AreTheTablesByTheirValueAtOnePosition) {
  const auto tables = tables_of({{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}});
  const TableGroups divided = divide(pointers(tables), [](std::size_t) { return std::size_t{0}; });
  ASSERT_EQ(divided.groups.size(), 4u);
  std::size_t sum = 0;
  for (const auto& group : divided.groups) {
    sum += group.size();
    for (const HoleTable* t : group) EXPECT_EQ(t->values[divided.position], group[0]->values[divided.position]);
  }
  EXPECT_EQ(sum, tables.size());
}

TEST(TableGroups, AHeavyPositionIsPreferredAmongTheTelling) {
  const auto tables = tables_of({{0, 0, 5, 5}, {0, 1, 5, 6}, {0, 2, 5, 7}});
  EXPECT_EQ(divide(pointers(tables), [](std::size_t p) { return p == 3 ? std::size_t{1} : std::size_t{0}; }).position,
            3u);
  EXPECT_EQ(divide(pointers(tables), [](std::size_t p) { return p == 2 ? std::size_t{9} : std::size_t{0}; }).position,
            1u);  // all alike at 2
}

// A difference that only one of many tables has, and that a sample of them misses.
TEST(TableGroups, ARareDifferenceIsFound) {
  std::vector<std::vector<std::int16_t>> values(100, {7, 7});
  values[50] = {7, 8};
  const auto tables = tables_of(values);
  const TableGroups divided = divide(pointers(tables), [](std::size_t) { return std::size_t{0}; });
  EXPECT_EQ(divided.position, 1u);
  EXPECT_EQ(divided.groups.size(), 2u);
}

}  // namespace
}  // namespace swizzle::table_groups_test
