#include "synth/tables/tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "tests/unit/tables_of_hole.h"

namespace swizzle::tables_test {
namespace {

HoleSpace space(HoleKind kind, int lanes, int iterations, int domain) {
  HoleSpace s;
  s.id = HoleId(0);
  s.kind = kind;
  s.domain = domain;
  s.first_argument = traits_of(kind).first_key;
  std::vector<Arguments> arguments;
  for (int k = 0; k < iterations; ++k)
    for (int lane = 0; lane < lanes; ++lane) {
      s.points.emplace_back(s.points.size());
      arguments.push_back({lane, k});
    }
  s.arguments = arguments;
  return s;
}

void forbid(Domains& domains, std::size_t point, int value) {
  const Domains::Word others = ~(Domains::Word{1} << value);
  ASSERT_TRUE(domains.keep(PointId(point), &others));
}

// The arguments as the user wrote them: i, n, k… or n, v… or v….
std::vector<std::int64_t> written(const HoleSpace& s, std::size_t p) {
  std::vector<std::int64_t> a = s.arguments[p];
  if (const auto modulus = s.traits().modulus) a.insert(a.begin() + static_cast<std::ptrdiff_t>(*modulus), s.domain);
  return a;
}

// A transformation of `domain` indices, a partition into `parts`, or a condition.
HoleSpace over(HoleKind kind, int iterations, int domain, int parts) {
  return space(kind, domain, iterations, traits_of(kind).is_truth() ? 2 : traits_of(kind).index ? domain : parts);
}

class Tables : public testing::TestWithParam<HoleKind> {};

TEST_P(Tables, ExpressionsComputeTheirTables) {
  for (int domain : {2, 3, 6, 8}) {
    const HoleSpace s = over(GetParam(), 3, traits_of(GetParam()).index ? domain : 6, std::min(domain, 3));
    const Enumeration found = all_of(s, anything(s));
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
  const HoleSpace s = over(GetParam(), 2, 6, 3);
  Domains allowed = anything(s);
  forbid(allowed, 1, 0);
  forbid(allowed, 7, 1);
  std::set<std::vector<std::int16_t>> expected, actual;
  for (const HoleTable& t : all_of(s, anything(s)).tables)
    if (t.values[1] != 0 && t.values[7] != 1) expected.insert(t.values);
  for (const HoleTable& t : all_of(s, allowed).tables) actual.insert(t.values);
  EXPECT_EQ(expected, actual);
}

// What is left out for its cost is what costs too much, and nothing else.
TEST_P(Tables, ACostLimitKeepsTheCheaperOnes) {
  const HoleSpace s = over(GetParam(), 3, 12, 3);
  const Enumeration all = all_of(s, anything(s));
  for (int limit : {0, 1, 2, 3, 5, 8}) {
    std::set<std::vector<std::int16_t>> expected, actual;
    for (const HoleTable& t : all.tables)
      if (t.integer_ops <= limit) expected.insert(t.values);
    for (const HoleTable& t : all_of(s, anything(s), limit).tables) actual.insert(t.values);
    EXPECT_EQ(expected, actual) << limit;
    EXPECT_FALSE(expected.empty());
  }
}

// Where the arguments take few values, operations fall away, and with them the bounds that tables are left out by.
TEST(TablesXform, ACostLimitKeepsTheCheaperOnesOfFewArguments) {
  for (const HoleKind kind : {HoleKind::kXform, HoleKind::kXformExtra})
    for (const int domain : {6, 8, 12})
      for (const auto& indices : {std::vector<int>{0, 1}, {0, 1, 2, 3}, {4, 5}, {0, 2, 4}})
        for (const auto& keys : {std::vector<int>{0, 1, 2}, {0, 4}, {-2, 3}, {5}}) {
          if (domain == 12 && kind == HoleKind::kXformExtra) continue;  // too many tables for a unit test
          HoleSpace s = space(kind, 1, 1, domain);
          s.points.clear();
          std::vector<Arguments> arguments;
          for (const int k : keys)
            for (const int i : indices) {
              s.points.emplace_back(s.points.size());
              arguments.push_back({i, k});
            }
          s.arguments = arguments;
          const Enumeration all = all_of(s, anything(s));
          for (int limit = 0; limit <= 8; ++limit) {
            std::map<std::vector<std::int16_t>, int> expected, actual;
            for (const HoleTable& t : all.tables)
              if (t.integer_ops <= limit) expected.emplace(t.values, t.integer_ops);
            for (const HoleTable& t : all_of(s, anything(s), limit).tables) actual.emplace(t.values, t.integer_ops);
            EXPECT_EQ(expected, actual) << domain << " " << indices.size() << " " << keys.size() << " " << limit;
          }
        }
}

TEST(TablesXform, CostWhatTheirValuesNeed) {
  HoleSpace s = space(HoleKind::kXform, 4, 3, 6);
  const auto cost_of = [&](const std::vector<std::int16_t>& values) {
    for (const HoleTable& t : all_of(s, anything(s)).tables)
      if (t.values == values) return t.integer_ops;
    return -1;
  };
  const std::vector<std::int16_t> by_k{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, sums{0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5};
  EXPECT_EQ(cost_of(by_k), 0);
  EXPECT_EQ(cost_of(sums), 1);
  s.open = {{2, {0, kAnyValue.most}}};  // at another size, k reaches 6
  EXPECT_EQ(cost_of(by_k), 4);
  EXPECT_EQ(cost_of(sums), 5);
}

// `%` by no power of two keeps the sign of what it divides: the sum is lifted where it is below zero, and else needs
// none.
TEST(TablesXform, SubtractWhereThatIsCheaper) {
  const auto printed = [](const HoleSpace& s, auto&& value) {
    for (const HoleTable& t : all_of(s, anything(s)).tables) {
      bool is_same = true;
      for (std::size_t p = 0; p < s.points.size(); ++p)
        is_same = is_same && t.values[p] == value(s.arguments[p][0], s.arguments[p][1]);
      if (is_same) return t.expression.print({"i", "n", "k"});
    }
    return std::string("none");
  };
  EXPECT_EQ(printed(space(HoleKind::kXform, 10, 1, 12), [](auto i, auto) { return 9 - i; }), "9 - i");
  EXPECT_EQ(printed(space(HoleKind::kXform, 10, 3, 12), [](auto i, auto k) { return i - k + 2; }), "i - k + 2");
  EXPECT_EQ(printed(space(HoleKind::kXform, 10, 2, 12), [](auto i, auto k) { return 11 - k - i; }), "11 - i - k");
  EXPECT_EQ(printed(space(HoleKind::kXform, 4, 3, 12), [](auto i, auto k) { return 2 * k + 3 - i; }), "k * 2 - i + 3");
  EXPECT_EQ(printed(space(HoleKind::kXform, 12, 3, 12), [](auto i, auto k) { return (i - k + 12) % 12; }),
            "(i + k * 11) % 12");
  EXPECT_EQ(printed(space(HoleKind::kXform, 8, 1, 8), [](auto i, auto) { return i * 5 % 8; }), "(i * 5) & 7");
  EXPECT_EQ(printed(space(HoleKind::kXform, 8, 1, 8), [](auto i, auto) { return (8 - i) % 8; }), "(8 - i) & 7");
  EXPECT_EQ(printed(space(HoleKind::kXform, 6, 2, 12), [](auto i, auto k) { return i + 6 * (1 - k); }),
            "i - k * 6 + 6");
}

TEST_P(Tables, DistinctOnesAreCounted) {
  const HoleSpace s = over(GetParam(), 3, 8, 2);
  const std::vector<HoleSpace> holes{s};
  const auto grammars = grammars_of(holes);
  EXPECT_NEAR(std::pow(10, *grammars[0]->distinct_log10({})), static_cast<double>(all_of(s, anything(s)).tables.size()),
              0.01);
}

TEST(Tables, OfPartitionsLeaveOutThoseWithAnExcludedPairAndNoOthers) {
  const std::vector<HoleSpace> holes{space(HoleKind::kPart, 6, 2, 3)};
  BinaryNogoods pairs(holes[0].points.size(), 3);
  pairs.add(1, 0, 7, 1);
  pairs.add(2, 2, 3, 2);
  pairs.add(11, 0, 4, 2);
  std::set<std::vector<std::int16_t>> expected, actual;
  for (const HoleTable& t : all_of(holes[0], anything(holes[0])).tables)
    if (!(t.values[1] == 0 && t.values[7] == 1) && !(t.values[2] == 2 && t.values[3] == 2) &&
        !(t.values[11] == 0 && t.values[4] == 2))
      expected.insert(t.values);
  for (const HoleTable& t : grammars_of(holes)[0]->within(anything(holes[0]), pairs, kAnyCost, 1'000'000).tables)
    actual.insert(t.values);
  EXPECT_EQ(actual, expected);
  EXPECT_FALSE(expected.empty());
}

// Figures of a prototype that counted them one by one.
// There are more than 10^400 of them: nothing but the deadline ends this.
TEST(Tables, NestedPartitionsEndWithTheDeadline) {
  const std::vector<HoleSpace> holes{space(HoleKind::kPart, 128, 1, 128)};
  Domains domains = anything(holes[0]);
  domains.remove_value(PointId(0), 0);
  const Enumeration passed = grammars_of(holes, Deadline(-1))[0]->within(domains, kAnyCost, 1'000'000'000);
  EXPECT_FALSE(passed.complete);
  EXPECT_TRUE(passed.tables.empty());
}

TEST(TablesXform, EndWithTheDeadline) {
  const std::vector<HoleSpace> holes{space(HoleKind::kXform, 32, 3, 32)};
  const auto all = [&](const Deadline& deadline) {
    return grammars_of(holes, deadline)[0]->within(anything(holes[0]), kAnyCost, 1'000'000'000);
  };
  EXPECT_TRUE(all({}).complete);
  EXPECT_FALSE(all(Deadline(-1)).complete);
}

// What a search that is late has chosen is told with its expression.
TEST(TablesXform, ADecidedTableIsFoundBehindTheDeadline) {
  const std::vector<HoleSpace> holes{space(HoleKind::kXform, 32, 8, 32)};
  const HoleTable rotated = grammars_of(holes)[0]->within(anything(holes[0]), kAnyCost, 1000).tables.back();
  Domains decided = anything(holes[0]);
  for (std::size_t i = 0; i < rotated.values.size(); ++i) decided.fix(holes[0].points[i], rotated.values[i]);
  const Enumeration found = grammars_of(holes, Deadline(-1))[0]->within(decided, kAnyCost, 1000);
  ASSERT_EQ(found.tables.size(), 1u);
  EXPECT_EQ(found.tables[0].values, rotated.values);
}

TEST(TablesXform, TheSpaceOf32LanesIsTheKnownOne) {
  for (const auto& [iterations, tables] : {std::pair{3, 73348.0}, std::pair{8, 220164.0}, std::pair{32, 366980.0}}) {
    const std::vector<HoleSpace> holes{space(HoleKind::kXform, 32, iterations, 32)};
    EXPECT_NEAR(std::pow(10, *grammars_of(holes)[0]->distinct_log10({})), tables, 0.5) << iterations;
  }
}

TEST(TablesCond, TheSpaceOf32LanesAnd32IterationsIsTheKnownOne) {
  const std::vector<HoleSpace> holes{space(HoleKind::kCond, 32, 32, 2)};
  EXPECT_NEAR(std::pow(10, *grammars_of(holes)[0]->distinct_log10({})), 738, 0.01);
}

TEST(TablesCond, TheLastLaneIsToldByItsNumber) {
  const HoleSpace s = space(HoleKind::kCond, 32, 1, 2);
  std::map<std::vector<std::int16_t>, std::string> printed;
  for (const HoleTable& t : all_of(s, anything(s)).tables) printed[t.values] = t.expression.print({"lane", "k"});
  std::vector<std::int16_t> values(32, 0);
  values[31] = 1;
  EXPECT_EQ(printed.at(values), "lane == 31");
  values[30] = 1;
  EXPECT_EQ(printed.at(values), "lane >= 30");
}

INSTANTIATE_TEST_SUITE_P(Kinds, Tables,
                         testing::Values(HoleKind::kXform, HoleKind::kXformExtra, HoleKind::kPart, HoleKind::kCond),
                         [](const auto& info) { return std::string(traits_of(info.param).name); });

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
                table.push_back(
                    static_cast<std::int16_t>(i / g * g + (c * inner + (wrapped ? shift % (g / d) : shift)) % g));
              }
              expected.insert(table);
            }
      }
  std::set<std::vector<std::int16_t>> actual;
  for (const HoleTable& t : all_of(s, anything(s)).tables) actual.insert(t.values);
  EXPECT_EQ(expected, actual);
}

std::set<std::vector<std::int16_t>> tables_of(const HoleSpace& s) {
  std::set<std::vector<std::int16_t>> tables;
  for (const HoleTable& t : all_of(s, anything(s)).tables) tables.insert(t.values);
  return tables;
}

int modulo(int a, int m) { return (a % m + m) % m; }

// What swapping the digits of i mod group adds, with p·⌊k / dp⌋ and r·⌊k / dr⌋ for each divisor of the number of
// iterations.
std::set<std::vector<std::int16_t>> swapped_by_brute_force(const HoleSpace& s, const std::vector<int>& divisors) {
  std::set<std::vector<std::int16_t>> tables;
  const auto each = [](int count, auto&& f) {
    for (int v = 0; v < count; ++v) f(v);
  };
  for (int g = 1; g <= s.domain; ++g)
    for (int d = 1; d <= g; ++d) {
      if (s.domain % g != 0 || g % d != 0) continue;
      const int run = g / d;
      each(d, [&](int c) {
        each(run, [&](int e) {
          if (std::gcd(c, d) != 1 || std::gcd(e, run) != 1) return;
          for (int dp : divisors)
            for (int dr : divisors)
              each(d * d, [&](int p) {
                each(run * run, [&](int r) {
                  std::vector<std::int16_t> table;
                  for (const auto& a : s.arguments) {
                    const int i = static_cast<int>(a[0]), k = static_cast<int>(a[1]), inner = i % g;
                    const int high = modulo(c * inner + p / d * (k / dp) + p % d, d),
                              low = modulo(e * (inner / d) + r / run * (k / dr) + r % run, run);
                    table.push_back(static_cast<std::int16_t>(i / g * g + run * high + low));
                  }
                  tables.insert(table);
                });
              });
        });
      });
    }
  return tables;
}

TEST(TablesXformExtra, AgreeWithTheGrammarByBruteForce) {
  const std::pair<int, int> sizes[] = {{6, 2}, {4, 4}, {8, 2}};
  for (const auto& [domain, iterations] : sizes) {
    HoleSpace s = space(HoleKind::kXform, domain, iterations, domain);
    std::set<std::vector<std::int16_t>> expected = tables_of(s);
    const std::size_t plain = expected.size();
    expected.merge(swapped_by_brute_force(s, iterations == 4 ? std::vector{1, 2} : std::vector{1}));
    s.kind = HoleKind::kXformExtra;
    EXPECT_EQ(tables_of(s), expected) << domain;
    EXPECT_GT(expected.size(), plain);
  }
}

// Of structs of six fields on four lanes: what one direction needs, the other one needs backwards.
TEST(TablesXformExtra, ASwappedPermutationHasASwappedInverse) {
  HoleSpace s = space(HoleKind::kXform, 6, 2, 6);
  s.kind = HoleKind::kXformExtra;
  const auto all = tables_of(s), plain = tables_of(space(HoleKind::kXform, 6, 2, 6));
  std::size_t inverted = 0;
  for (const auto& table : all) {
    std::vector<std::int16_t> inverse(table.size(), -1);
    for (std::size_t p = 0; p < table.size(); ++p)
      inverse[p / 6 * 6 + static_cast<std::size_t>(table[p])] = static_cast<std::int16_t>(p % 6);
    if (plain.contains(table) || std::find(inverse.begin(), inverse.end(), -1) != inverse.end()) continue;
    EXPECT_TRUE(all.contains(inverse));
    ++inverted;
  }
  EXPECT_GT(inverted, 0u);
}

TEST(SearchSpace, CountsWhatEnumerationLists) {
  std::vector<HoleSpace> spaces;
  for (const int lanes : {1, 3, 4, 6, 8})
    for (const int iterations : {1, 2, 3})
      for (const auto& [kind, domain] : {std::pair{HoleKind::kPart, 2},
                                         {HoleKind::kPart, 3},
                                         {HoleKind::kPart, 4},
                                         {HoleKind::kCond, 2},
                                         {HoleKind::kXor, 8},
                                         {HoleKind::kXform, 8},
                                         {HoleKind::kXformExtra, 8}})
        if (iterations == 1 || domain != 4) spaces.push_back(space(kind, lanes, iterations, domain));
  for (const int lanes : {3, 8}) {  // a second variable that depends on the first
    HoleSpace two = space(HoleKind::kXor, lanes, 4, 8);
    std::vector<Arguments> arguments;
    for (const Arguments& a : two.arguments) arguments.push_back({a[0], a[1], a[1] / 2});
    two.arguments = arguments;
    spaces.push_back(std::move(two));
  }
  for (const HoleSpace& s : spaces) {
    const auto counted = distinct_space_log10({s});
    ASSERT_TRUE(counted);
    const double listed = static_cast<double>(all_of(s, anything(s)).tables.size());
    EXPECT_NEAR(std::pow(10, *counted), listed, 1e-6 * listed)
        << s.traits().name << " of " << s.arguments.size() << " points and " << s.domain << " values";
  }
}

TEST(SearchSpace, WhatIsTooMuchIsNotCounted) {
  const HoleSpace nested = space(HoleKind::kPart, 32, 16, 12);
  EXPECT_FALSE(distinct_space_log10({nested}));
  EXPECT_FALSE(distinct_space_log10({space(HoleKind::kPart, 8, 2, 3)}, Deadline(-1)));
}

TEST(SearchSpace, IsTheProductOfTheHolesSpaces) {
  const HoleSpace xform = space(HoleKind::kXform, 8, 3, 8), part = space(HoleKind::kPart, 8, 3, 2);
  const double one = *distinct_space_log10({xform}), other = *distinct_space_log10({part});
  EXPECT_NEAR(std::pow(10, one), static_cast<double>(all_of(xform, anything(xform)).tables.size()), 0.01);
  EXPECT_LT(one, raw_space_log10(xform));
  EXPECT_NEAR(*distinct_space_log10({xform, part, HoleSpace{}, xform}), 2 * one + other, 1e-9);
}

}  // namespace
}  // namespace swizzle::tables_test
