// ?sw_xor: permutations of [0, n) by XOR with bits of its index and of its variables.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "synth/program/moved_bits.h"
#include "synth/tables/tables.h"
#include "tests/unit/tables_of_hole.h"

namespace swizzle::tables_xor_test {
namespace {

HoleSpace xor_space(int n, int iterations) {
  HoleSpace s;
  s.id = HoleId(0);
  s.kind = HoleKind::kXor;
  s.domain = n;
  s.first_argument = s.traits().first_key;
  std::vector<Arguments> arguments;
  for (int k = 0; k < iterations; ++k)
    for (int i = 0; i < n; ++i) {
      s.points.emplace_back(s.points.size());
      arguments.push_back({i, k});
    }
  s.arguments = arguments;
  return s;
}

class EveryXor : public testing::TestWithParam<int> {};

TEST_P(EveryXor, PermutesAndPrintsWhatItComputes) {
  const int n = GetParam(), iterations = 5;
  const HoleSpace s = xor_space(n, iterations);
  const Enumeration all = all_of(s, anything(s));
  EXPECT_TRUE(all.complete);
  std::set<std::vector<std::int16_t>> seen;
  for (const HoleTable& t : all.tables) {
    EXPECT_TRUE(seen.insert(t.values).second);
    EXPECT_EQ(t.integer_ops, t.expression.integer_ops());
    for (int k = 0; k < iterations; ++k) {
      std::set<int> values;
      for (int i = 0; i < n; ++i) {
        const int v = t.values[static_cast<std::size_t>(k * n + i)];
        EXPECT_EQ(t.expression.evaluate({i, n, k}), v) << t.expression.print({"i", "n", "k"});
        EXPECT_TRUE(v >= 0 && v < n);
        values.insert(v);
      }
      EXPECT_EQ(values.size(), static_cast<std::size_t>(n));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, EveryXor, testing::Values(1, 2, 3, 6, 8, 12, 16, 33, 48, 80));

// k >> d & m of each run m of ones, moved up: as C computes it of negative numbers.
TEST(XorTables, HaveTheBitsOfNegativeVariables) {
  constexpr int kBits = 3, kSize = 1 << kBits;
  for (const int first : {-9, -3, -1}) {
    HoleSpace s = xor_space(kSize, 3);
    std::vector<Arguments> arguments;
    for (int k = first; k < first + 3; ++k)
      for (int i = 0; i < kSize; ++i) arguments.push_back({i, k});
    s.arguments = arguments;
    std::set<std::vector<std::int16_t>> listed;
    for (const HoleTable& t : all_of(s, anything(s)).tables) listed.insert(t.values);
    for (int down = 0; down < 6; ++down)
      for (int width = 1; width <= kBits; ++width)
        for (int up = 0; up + width <= kBits; ++up) {
          std::vector<std::int16_t> values;
          for (const Arguments& a : arguments)
            values.push_back(static_cast<std::int16_t>(a[0] ^ ((a[1] >> down & ((1 << width) - 1)) << up)));
          EXPECT_TRUE(listed.contains(values)) << first << " " << down << " " << width << " " << up;
        }
  }
}

TEST(XorTables, AnOddSizeLeavesNothingButTheIndex) {
  const HoleSpace s = xor_space(33, 4);
  const Enumeration all = all_of(s, anything(s));
  ASSERT_EQ(all.tables.size(), 1u);
  EXPECT_EQ(all.tables[0].expression.print({"i", "33", "k"}), "i");
}

TEST(XorTables, HoldTheSwizzlesOfTheTextbooks) {
  const HoleSpace s = xor_space(32, 32);
  std::set<std::string> texts;
  for (const HoleTable& t : all_of(s, anything(s), 3).tables) texts.insert(t.expression.print({"i", "32", "k"}));
  for (const char* text : {"i", "i ^ k", "i ^ (k & 7)", "i ^ (k >> 2)", "i ^ 5", "i ^ (i >> 1)", "i ^ (k & 24)"})
    EXPECT_TRUE(texts.contains(text)) << text;
}

TEST(XorTables, StayWithinWhatIsAllowed) {
  const HoleSpace s = xor_space(8, 8);
  Domains domains = anything(s);
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const Domains::Word only = Domains::Word{1} << ((s.arguments[p][0] ^ s.arguments[p][1]) & 7);
    ASSERT_TRUE(domains.keep(s.points[p], &only));
  }
  const Enumeration found = all_of(s, domains);
  ASSERT_EQ(found.tables.size(), 1u);
  EXPECT_EQ(found.tables[0].expression.print({"i", "8", "k"}), "i ^ k");
  EXPECT_TRUE(all_of(s, domains, 0).tables.empty());
}

TEST(XorTables, SayWhenTheLimitCutsThemShort) {
  const HoleSpace s = xor_space(8, 8);
  EXPECT_FALSE(all_of(s, anything(s), kAnyCost, 10).complete);
  EXPECT_LE(all_of(s, anything(s), kAnyCost, 10).tables.size(), 10u);
}

TEST(MovedBits, PrintsAndCountsWhatItComputes) {
  for (int down = 0; down < 4; ++down)
    for (int up = 0; up < 4; ++up)
      for (std::int64_t mask : {1, 3, 7, 31}) {
        const MovedBits bits{31, down, up, mask};
        const IndexExpr e = bits.of(IndexExpr::argument(0));
        EXPECT_EQ(e.integer_ops(), bits.integer_ops()) << e.print({"v"});
        for (std::int64_t v = 0; v < 32; ++v) EXPECT_EQ(e.evaluate({v}), bits.of(v)) << e.print({"v"});
      }
}

}  // namespace
}  // namespace swizzle::tables_xor_test
