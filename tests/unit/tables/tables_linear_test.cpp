// ?sw_linear: each bit of the value is a XOR of bits of the arguments and a constant.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "synth/tables/linear_forms.h"
#include "synth/tables/linear_shares.h"
#include "synth/tables/tables.h"
#include "tests/unit/tables_of_hole.h"

namespace swizzle::tables_linear_test {
namespace {

HoleSpace linear_space(int n, const std::vector<Arguments>& arguments) {
  HoleSpace s;
  s.id = HoleId(0);
  s.kind = HoleKind::kLinear;
  s.domain = n;
  s.first_argument = s.traits().first_key;
  for (std::size_t p = 0; p < arguments.size(); ++p) s.points.emplace_back(p);
  s.arguments = arguments;
  return s;
}

HoleSpace linear_space(int n, int iterations) {
  std::vector<Arguments> arguments;
  for (int k = 0; k < iterations; ++k)
    for (int i = 0; i < n; ++i) arguments.push_back(iterations == 1 ? Arguments{i} : Arguments{i, k});
  return linear_space(n, arguments);
}

// The table that computes `value` at each point, if there is one.
template <typename Value>
Enumeration only(const HoleSpace& s, Value&& value, int max_ops = kAnyCost) {
  Domains domains = anything(s);
  for (std::size_t p = 0; p < s.points.size(); ++p)
    EXPECT_TRUE(domains.fix(s.points[p], static_cast<int>(value(s.arguments[p]))));
  return all_of(s, domains, max_ops);
}

std::set<std::vector<std::int16_t>> values_of(const Enumeration& all) {
  std::set<std::vector<std::int16_t>> values;
  for (const HoleTable& t : all.tables) values.insert(t.values);
  return values;
}

// A·(1, i, k) for all A, within [0, n): by definition.
std::set<std::vector<std::int16_t>> by_definition(const HoleSpace& s, int rows, int bits_of_i, int bits_of_k) {
  const int bits = 1 + bits_of_i + bits_of_k;
  std::set<std::vector<std::int16_t>> all;
  for (std::uint32_t entries = 0; entries < std::uint32_t{1} << (rows * bits); ++entries) {
    std::vector<std::int16_t> values;
    for (const Arguments& a : s.arguments) {
      const std::uint32_t x = static_cast<std::uint32_t>(1 | a[0] << 1 | (a.size() > 1 ? a[1] : 0) << (1 + bits_of_i));
      int v = 0;
      for (int r = 0; r < rows; ++r) v |= (std::popcount(entries >> (r * bits) & ((1u << bits) - 1) & x) & 1) << r;
      values.push_back(static_cast<std::int16_t>(v));
    }
    if (std::ranges::all_of(values, [&](int v) { return v < s.domain; })) all.insert(std::move(values));
  }
  return all;
}

TEST(LinearTables, AreAllMapsOfBits) {
  const HoleSpace of_lane = linear_space(8, 1), of_both = linear_space(4, 4), odd = linear_space(3, 2),
                  twelve = linear_space(6, 1);
  EXPECT_EQ(values_of(all_of(of_lane, anything(of_lane))), by_definition(of_lane, 3, 3, 0));
  EXPECT_EQ(values_of(all_of(of_both, anything(of_both))), by_definition(of_both, 2, 2, 2));
  EXPECT_EQ(values_of(all_of(odd, anything(odd))), by_definition(odd, 2, 2, 1));
  EXPECT_EQ(values_of(all_of(twelve, anything(twelve))), by_definition(twelve, 3, 3, 0));
}

class EveryLinear : public testing::TestWithParam<int> {};

TEST_P(EveryLinear, PrintsWhatItComputesAndIsCounted) {
  const int n = GetParam();
  const HoleSpace s = linear_space(n, n < 8 ? 2 : 1);
  const Enumeration all = all_of(s, anything(s));
  EXPECT_TRUE(all.complete);
  for (const HoleTable& t : all.tables) {
    EXPECT_EQ(t.integer_ops, t.expression.integer_ops());
    for (std::size_t p = 0; p < s.points.size(); ++p) {
      const Arguments& a = s.arguments[p];
      EXPECT_EQ(t.expression.evaluate({a[0], n, a.size() > 1 ? a[1] : 0}), t.values[p])
          << t.expression.print({"i", "n", "k"});
    }
  }
  EXPECT_EQ(values_of(all).size(), all.tables.size());
  const std::vector<HoleSpace> holes{s};
  const auto distinct = distinct_space_log10(holes, {});
  ASSERT_TRUE(distinct);
  EXPECT_NEAR(*distinct, std::log10(static_cast<double>(all.tables.size())), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Sizes, EveryLinear, testing::Values(1, 2, 3, 4, 5, 6, 7, 8));

// What is listed by cost, form by form, is what is listed value by value, at the same cost.
TEST(LinearTables, CostTheSameHoweverTheyAreListed) {
  const HoleSpace s = linear_space(8, 2);
  std::map<std::vector<std::int16_t>, int> by_value;
  std::mt19937 random(7);
  const Enumeration few = all_of(s, anything(s), 4);  // more settings than are walked value by value
  EXPECT_TRUE(few.complete);
  for (const HoleTable& t : few.tables) by_value[t.values] = t.integer_ops;
  EXPECT_EQ(by_value.size(), few.tables.size());
  std::size_t cheap = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::array<int, 5> column{};  // of 1, i0, i1, i2, k0
    for (int& c : column) c = static_cast<int>(random() % 8) & (random() % 2 == 0 ? 7 : 1 << random() % 3);
    const Enumeration one = only(s, [&](const Arguments& a) {
      int v = column[0] ^ (a[1] != 0 ? column[4] : 0);
      for (int j = 0; j < 3; ++j) v ^= (a[0] >> j & 1) != 0 ? column[static_cast<std::size_t>(j) + 1] : 0;
      return v;
    });
    ASSERT_EQ(one.tables.size(), 1u);
    const auto known = by_value.find(one.tables[0].values);
    ASSERT_EQ(known != by_value.end(), one.tables[0].integer_ops <= 4)
        << one.tables[0].expression.print({"i", "8", "k"});
    if (known == by_value.end()) continue;
    EXPECT_EQ(known->second, one.tables[0].integer_ops);
    ++cheap;
  }
  EXPECT_GT(cheap, 100u);
}

struct Known {
  const char* text;
  int ops;
  int (*value)(std::int64_t i);
};

class KnownMaps : public testing::TestWithParam<Known> {};

TEST_P(KnownMaps, ArePrintedInTheFewestOperations) {
  const HoleSpace s = linear_space(32, 1);
  const Enumeration found = only(s, [](const Arguments& a) { return GetParam().value(a[0]); });
  ASSERT_EQ(found.tables.size(), 1u);
  EXPECT_EQ(found.tables[0].expression.print({"lane"}), GetParam().text);
  EXPECT_EQ(found.tables[0].integer_ops, GetParam().ops);
}

INSTANTIATE_TEST_SUITE_P(
    Of32, KnownMaps,
    testing::Values(
        Known{"lane", 0, [](std::int64_t i) { return int(i); }}, Known{"7", 0, [](std::int64_t) { return 7; }},
        Known{"lane ^ 31", 1, [](std::int64_t i) { return int(31 - i); }},
        Known{"lane >> 3", 1, [](std::int64_t i) { return int(i >> 3); }},
        Known{"lane & 24", 1, [](std::int64_t i) { return int(i & 24); }},
        Known{"(lane >> 1) ^ lane", 2, [](std::int64_t i) { return int(i ^ i >> 1); }},
        Known{"int(__brev(lane) >> 27)", 2,
              [](std::int64_t i) { return int((i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | i >> 4); }},
        Known{"((lane * 33) >> 2) & 31", 3, [](std::int64_t i) { return int(i >> 2 | (i & 3) << 3); }},
        Known{"(lane & 28) ^ int(__brev(lane) >> 30)", 4,
              [](std::int64_t i) { return int((i & 28) | (i & 1) << 1 | (i & 2) >> 1); }},
        Known{"lane ^ (((lane ^ (lane >> 2)) & 3) * 5)", 5,
              [](std::int64_t i) { return int((i & 16) | (i & 3) << 2 | (i & 12) >> 2); }}));

TEST(LinearTables, WithoutASolutionAreNone) {
  const HoleSpace s = linear_space(8, 1);
  EXPECT_TRUE(only(s, [](const Arguments& a) { return (a[0] + 1) % 8; }).tables.empty());
}

TEST(LinearTables, CostAtMostWhatIsAskedFor) {
  const HoleSpace s = linear_space(32, 1);
  const auto reversed_of_three = [](const Arguments& a) {
    return (a[0] & 24) | (a[0] & 1) << 2 | (a[0] & 2) | (a[0] >> 2 & 1);
  };
  const int ops = only(s, reversed_of_three).tables.at(0).integer_ops;
  EXPECT_EQ(only(s, reversed_of_three, ops).tables.size(), 1u);
  EXPECT_TRUE(only(s, reversed_of_three, ops - 1).tables.empty());
  for (const HoleTable& t : all_of(s, anything(s), 2).tables) EXPECT_LE(t.integer_ops, 2);
}

TEST(LinearTables, SayWhenTheLimitCutsThemShort) {
  const HoleSpace s = linear_space(32, 1);
  EXPECT_FALSE(all_of(s, anything(s), 3, 10).complete);
  EXPECT_LE(all_of(s, anything(s), 3, 10).tables.size(), 10u);
  EXPECT_FALSE(all_of(s, anything(s), kAnyCost, 10).complete);
}

// With d in {1, 2, 4}, its third bit is what the others leave, but `i ^ d` is cheaper than that.
TEST(LinearTables, AreWrittenWithBitsThatOthersDecide) {
  std::vector<Arguments> arguments;
  for (std::int64_t d : {1, 2, 4})
    for (std::int64_t i = 0; i < 8; ++i) arguments.push_back({i, d});
  const HoleSpace s = linear_space(8, arguments);
  const Enumeration found = only(s, [](const Arguments& a) { return a[0] ^ a[1]; });
  ASSERT_EQ(found.tables.size(), 1u);
  EXPECT_EQ(found.tables[0].expression.print({"i", "8", "d"}), "i ^ d");
  const Enumeration cheap = all_of(s, anything(s), 1);
  EXPECT_TRUE(
      std::ranges::any_of(cheap.tables, [&](const HoleTable& t) { return t.values == found.tables[0].values; }));
  for (const HoleTable& t : cheap.tables) {
    const Enumeration same = only(s, [&](const Arguments& a) { return t.expression.evaluate({a[0], 8, a[1]}); });
    EXPECT_EQ(same.tables.at(0).integer_ops, t.integer_ops) << t.expression.print({"i", "8", "d"});
  }
}

// Of t and t / 8, the second says nothing new; of a lane in [16, 32), the highest bit neither.
TEST(LinearTables, CountNoBitThatOthersDecide) {
  std::vector<Arguments> arguments;
  for (std::int64_t t = 16; t < 32; ++t) arguments.push_back({t % 8, t, t / 8});
  const HoleSpace s = linear_space(8, arguments);
  const Enumeration found = only(s, [](const Arguments& a) { return a[2] ^ a[0]; });
  ASSERT_EQ(found.tables.size(), 1u);
  for (const Arguments& a : arguments)
    EXPECT_EQ(found.tables[0].expression.evaluate({a[0], 8, a[1], a[2]}), a[2] ^ a[0]);
  const std::vector<HoleSpace> holes{s};
  EXPECT_NEAR(*distinct_space_log10(holes, {}), 3 * 5 * std::log10(2.0), 1e-9);
}

// Values that may be larger at other sizes, or are negative, are masked.
TEST(LinearTables, HoldForWhateverAnArgumentMayBe) {
  std::vector<Arguments> arguments;
  for (std::int64_t k = 0; k < 4; ++k)
    for (std::int64_t i = 0; i < 4; ++i) arguments.push_back({i, k});
  HoleSpace s = linear_space(4, arguments);
  const auto sum = [](const Arguments& a) { return (a[0] ^ a[1]) & 3; };
  EXPECT_EQ(only(s, sum).tables.at(0).expression.print({"i", "4", "k"}), "i ^ k");
  s.open = {{s.first_argument, {0, 1000}}};
  EXPECT_EQ(only(s, sum).tables.at(0).expression.print({"i", "4", "k"}), "i ^ (k & 3)");
  for (Arguments& a : arguments) a[1] -= 2;
  const HoleSpace negative = linear_space(4, arguments);
  const HoleTable table = only(negative, sum).tables.at(0);
  for (const Arguments& a : arguments) EXPECT_EQ(table.expression.evaluate({a[0], 4, a[1]}), sum(a));
}

// Each share of few operations, found among all shares.
TEST(LinearShares, AreAllOfTheirCost) {
  for (const bool around : {false, true}) {
    const LinearForms forms(3, 0b111, 0b111);
    std::map<LinearForms::Columns, int> all;
    for (unsigned entries = 0; entries < 512; ++entries) {
      const LinearForms::Columns columns{static_cast<std::uint16_t>(entries & 7),
                                         static_cast<std::uint16_t>(entries >> 3 & 7),
                                         static_cast<std::uint16_t>(entries >> 6)};
      all[columns] = forms.cheapest(columns, around).ops;
    }
    for (int ops = 0; ops < 10; ++ops) {
      LinearShares shares(forms, around);
      const auto* listed = shares.up_to(ops, 1000);
      ASSERT_NE(listed, nullptr);
      const auto expected = std::ranges::count_if(all, [&](const auto& share) { return share.second <= ops; });
      EXPECT_EQ(static_cast<std::ptrdiff_t>(listed->size()), expected) << ops;
      for (const auto& share : *listed) EXPECT_EQ(share.ops, all.at(share.columns));
    }
  }
}

}  // namespace
}  // namespace swizzle::tables_linear_test
