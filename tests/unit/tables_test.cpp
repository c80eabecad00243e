#include "synth/tables.h"

#include <cmath>
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

Domains anything(const HoleSpace& s) {
  PointTable points;
  for (const auto& arguments : s.arguments) points.intern(s.id, arguments, s.domain);
  return Domains(points);
}

void forbid(Domains& domains, std::size_t point, int value) {
  const Domains::Word others = ~(Domains::Word{1} << value);
  ASSERT_TRUE(domains.keep(PointId(point), &others));
}

Enumeration tables_within(const HoleSpace& s, const Domains& domains, int max_ops = kAnyCost) {
  const std::vector<HoleSpace> holes{s};
  return grammars_of(holes)[0]->within(domains, max_ops, 1'000'000);
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
    const Enumeration found = tables_within(s, anything(s));
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
  Domains allowed = anything(s);
  forbid(allowed, 1, 0);
  forbid(allowed, 7, 1);
  std::set<std::vector<std::int16_t>> expected, actual;
  for (const HoleTable& t : tables_within(s, anything(s)).tables)
    if (t.values[1] != 0 && t.values[7] != 1) expected.insert(t.values);
  for (const HoleTable& t : tables_within(s, allowed).tables) actual.insert(t.values);
  EXPECT_EQ(expected, actual);
}

// What is left out for its cost is what costs too much, and nothing else.
TEST_P(Tables, ACostLimitKeepsTheCheaperOnes) {
  const HoleSpace s = space(GetParam(), 12, 3, GetParam() == HoleKind::kCond ? 2 : GetParam() == HoleKind::kPart ? 3 : 12);
  const Enumeration all = tables_within(s, anything(s));
  for (int limit : {0, 1, 2, 3, 5, 8}) {
    std::set<std::vector<std::int16_t>> expected, actual;
    for (const HoleTable& t : all.tables)
      if (t.integer_ops <= limit) expected.insert(t.values);
    for (const HoleTable& t : tables_within(s, anything(s), limit).tables) actual.insert(t.values);
    EXPECT_EQ(expected, actual) << limit;
    EXPECT_FALSE(expected.empty());
  }
}

TEST_P(Tables, DistinctOnesAreCounted) {
  const HoleSpace s = space(GetParam(), 8, 3, GetParam() == HoleKind::kXform ? 8 : 2);
  const std::vector<HoleSpace> holes{s};
  const auto grammars = grammars_of(holes);
  EXPECT_NEAR(std::pow(10, grammars[0]->distinct_log10()), static_cast<double>(tables_within(s, anything(s)).tables.size()), 0.01);
}

// Figures of a prototype that counted them one by one.
TEST(TablesXform, TheSpaceOf32LanesIsTheKnownOne) {
  for (const auto& [iterations, tables] : {std::pair{3, 73348.0}, std::pair{8, 220164.0}, std::pair{32, 366980.0}}) {
    const std::vector<HoleSpace> holes{space(HoleKind::kXform, 32, iterations, 32)};
    EXPECT_NEAR(std::pow(10, grammars_of(holes)[0]->distinct_log10()), tables, 0.5) << iterations;
  }
}

TEST(TablesCond, TheSpaceOf32LanesAnd32IterationsIsTheKnownOne) {
  const std::vector<HoleSpace> holes{space(HoleKind::kCond, 32, 32, 2)};
  EXPECT_NEAR(std::pow(10, grammars_of(holes)[0]->distinct_log10()), 738, 0.01);
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
  for (const HoleTable& t : tables_within(s, anything(s)).tables) actual.insert(t.values);
  EXPECT_EQ(expected, actual);
}

TEST(SearchSpace, IsTheProductOfTheHolesSpaces) {
  const HoleSpace xform = space(HoleKind::kXform, 8, 3, 8), part = space(HoleKind::kPart, 8, 3, 2);
  const double one = distinct_space_log10({xform}), other = distinct_space_log10({part});
  EXPECT_NEAR(std::pow(10, one), static_cast<double>(tables_within(xform, anything(xform)).tables.size()), 0.01);
  EXPECT_LT(one, raw_space_log10(xform));
  EXPECT_NEAR(distinct_space_log10({xform, part, HoleSpace{}, xform}), 2 * one + other, 1e-9);
}

}  // namespace
}  // namespace swizzle
