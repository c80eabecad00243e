#include "synth/tables.h"

#include <set>

#include <gtest/gtest.h>

namespace swizzle {
namespace {

HoleSpace space(HoleKind kind, int lanes, int iterations, int domain) {
  HoleSpace s;
  s.id = HoleId(0);
  s.kind = kind;
  s.domain = domain;
  s.first_argument = kind == HoleKind::kXform ? 2 : kind == HoleKind::kPart ? 1 : 0;
  for (int k = 0; k < iterations; ++k)
    for (int lane = 0; lane < lanes; ++lane) {
      s.points.emplace_back(s.points.size());
      s.arguments.push_back({lane, k});
    }
  return s;
}

std::vector<ValueSet> anything(const HoleSpace& s) {
  ValueSet all;
  for (int v = 0; v < s.domain; ++v) all.set(static_cast<std::size_t>(v));
  return std::vector<ValueSet>(s.points.size(), all);
}

// The arguments as the user wrote them: i, n, k… or n, v… or v….
std::vector<std::int64_t> written(const HoleSpace& s, std::size_t p) {
  const auto& a = s.arguments[p];
  if (s.kind == HoleKind::kCond) return a;
  if (s.kind == HoleKind::kPart) return {s.domain, a[0], a[1]};
  return {a[0], s.domain, a[1]};
}

class Tables : public testing::TestWithParam<HoleKind> {};

TEST_P(Tables, ExpressionsComputeTheirTables) {
  for (int domain : {2, 3, 6, 8}) {
    const HoleSpace s = space(GetParam(), GetParam() == HoleKind::kXform ? domain : 6, 3, GetParam() == HoleKind::kCond ? 2 : domain > 3 && GetParam() == HoleKind::kPart ? 3 : domain);
    const Enumeration found = enumerate_tables(s, anything(s), 1'000'000);
    ASSERT_TRUE(found.complete);
    ASSERT_FALSE(found.tables.empty());
    std::set<std::vector<std::int16_t>> distinct;
    for (const HoleTable& t : found.tables) {
      EXPECT_TRUE(distinct.insert(t.values).second);
      for (std::size_t p = 0; p < s.points.size(); ++p)
        ASSERT_EQ(t.expression.evaluate(written(s, p)), t.values[p]) << t.expression.print({"i", "n", "k"});
    }
  }
}

TEST_P(Tables, AllowedValuesFilterTheSameTables) {
  const HoleSpace s = space(GetParam(), 6, 2, GetParam() == HoleKind::kCond ? 2 : GetParam() == HoleKind::kPart ? 3 : 6);
  std::vector<ValueSet> allowed = anything(s);
  allowed[1].reset(0);
  allowed[7].reset(1);
  std::set<std::vector<std::int16_t>> expected, actual;
  for (const HoleTable& t : enumerate_tables(s, anything(s), 1'000'000).tables)
    if (t.values[1] != 0 && t.values[7] != 1) expected.insert(t.values);
  for (const HoleTable& t : enumerate_tables(s, allowed, 1'000'000).tables) actual.insert(t.values);
  EXPECT_EQ(expected, actual);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Tables, testing::Values(HoleKind::kXform, HoleKind::kPart, HoleKind::kCond));

TEST(TablesXform, AgreeWithTheGrammarByBruteForce) {
  const HoleSpace s = space(HoleKind::kXform, 6, 2, 6);
  std::set<std::vector<std::int16_t>> expected;
  for (int g : {1, 2, 3, 6})
    for (int c = 0; c < g; ++c)
      for (int d = 1; d <= g; ++d) {
        if (g % d != 0 || c % (g / d) != 0) continue;
        for (int wrapped = 0; wrapped < 2; ++wrapped)
          for (int factor = 0; factor < g; ++factor)
            for (int c0 = 0; c0 < g; ++c0) {
              std::vector<std::int16_t> table;
              for (const auto& a : s.arguments) {
                const auto i = static_cast<int>(a[0]), k = static_cast<int>(a[1]), inner = i % g;
                const int shift = inner / d + factor * k + c0;
                table.push_back(static_cast<std::int16_t>(i / g * g + (c * inner + (wrapped ? shift % (g / d) : shift)) % g));
              }
              expected.insert(table);
            }
      }
  std::set<std::vector<std::int16_t>> actual;
  for (const HoleTable& t : enumerate_tables(s, anything(s), 1'000'000).tables) actual.insert(t.values);
  EXPECT_EQ(expected, actual);
}

}  // namespace
}  // namespace swizzle
