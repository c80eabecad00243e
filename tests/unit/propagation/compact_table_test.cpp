#include "synth/propagation/compact_table.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::compact_table_test {
namespace {

using Tables = std::vector<std::vector<std::int16_t>>;

std::shared_ptr<const TableList> list_of(const Tables& values, std::size_t points, int domain) {
  std::vector<HoleTable> tables;
  for (const auto& v : values) tables.push_back({v, IndexExpr::constant(0), 0});
  return std::make_shared<TableList>(std::move(tables), points, domain);
}

TEST(TableLists, SupportIsTheTablesWithTheValue) {
  const auto list = list_of({{0, 1}, {0, 0}, {2, 1}}, 2, 3);
  EXPECT_EQ(*list->support(0, 0), 0b011u);
  EXPECT_EQ(*list->support(0, 1), 0u);
  EXPECT_EQ(*list->support(1, 1), 0b101u);
  EXPECT_EQ(list->uniform, (std::vector<std::int16_t>{-1, 0, -1}));
  EXPECT_TRUE(list->ones.empty()) << "only where there are two values";
}

TEST(TableLists, OfTwoValuesTellWhereATableIsOne) {
  std::vector<std::int16_t> alternating(70), all(70, 1);
  for (std::size_t p = 0; p < 70; ++p) alternating[p] = static_cast<std::int16_t>(p % 2);
  const auto list = list_of({alternating, all}, 70, 2);
  ASSERT_EQ(list->point_words, 2u);
  EXPECT_EQ(list->ones, (std::vector<std::uint64_t>{0xaaaaaaaaaaaaaaaa, 0b101010, ~std::uint64_t{0}, 0b111111}));
  EXPECT_EQ(list->uniform, (std::vector<std::int16_t>{-1, 1}));
}

// Random lists, of few and of many tables, of two values and of more.
struct Size {
  std::size_t tables, points;
  int domain;
};

class CompactTables : public testing::TestWithParam<Size> {
 protected:
  void SetUp() override {
    std::set<std::vector<std::int16_t>> distinct;
    while (distinct.size() < GetParam().tables) {
      std::vector<std::int16_t> values(GetParam().points);
      for (std::int16_t& v : values)
        v = static_cast<std::int16_t>(random_() % static_cast<unsigned>(GetParam().domain));
      distinct.insert(values);
    }
    values_.assign(distinct.begin(), distinct.end());
    std::vector<Arguments> arguments;
    for (std::size_t p = 0; p < GetParam().points; ++p) arguments.push_back({static_cast<std::int64_t>(p)});
    hole_ = b_.hole(GetParam().domain == 2 ? HoleKind::kCond : HoleKind::kPart, GetParam().domain, arguments);
  }
  bool fits(const std::vector<std::int16_t>& table, const Domains& domains) const {
    for (std::size_t p = 0; p < table.size(); ++p)
      if (!domains.allows(b_.at(hole_, p), table[p])) return false;
    return true;
  }

  std::mt19937 random_{7};
  Tables values_;
  ProblemBuilder b_;
  HoleId hole_;
};

// Live are the tables within the domains, and what is left of each point is what they have; restored, all is as before.
TEST_P(CompactTables, LiveAreTheListedTablesWithinTheDomains) {
  CompactTable table(b_.space(hole_), list_of(values_, GetParam().points, GetParam().domain));
  for (int round = 0; round < 20; ++round) {
    Domains domains(b_.problem.points);
    std::vector<TableConstraint::Saved> trail;
    bool stands = true;
    for (int step = 0; step < 6 && stands; ++step) {
      const std::size_t p = random_() % GetParam().points;
      if (!domains.remove_value(b_.at(hole_, p),
                                static_cast<int>(random_() % static_cast<unsigned>(GetParam().domain))))
        break;
      table.note_changed(p);
      const Domains narrowed = domains;
      stands = table.filter(domains, 0, trail);
      for (PointId changed : domains.changed()) table.note_changed(changed.value);
      domains.changed().clear();
      std::size_t live = 0;
      std::vector<Domains::Word> supported(GetParam().points, 0);
      for (std::size_t t = 0; t < values_.size(); ++t) {
        EXPECT_EQ(table.is_live(t), fits(values_[t], narrowed));
        live += table.is_live(t) ? 1 : 0;
        for (std::size_t q = 0; q < values_[t].size() && table.is_live(t); ++q)
          supported[q] |= Domains::Word{1} << values_[t][q];
      }
      EXPECT_EQ(stands, live > 0);
      for (std::size_t q = 0; stands && q < supported.size(); ++q)
        EXPECT_EQ(*domains.values(b_.at(hole_, q)), supported[q]);
      std::size_t walked = 0;
      for (std::size_t t = table.next_live(0); t < values_.size(); t = table.next_live(t + 1)) ++walked;
      EXPECT_EQ(walked, live);
    }
    table.forget_changes();
    for (; !trail.empty(); trail.pop_back()) table.restore(trail.back());
    for (std::size_t t = 0; t < values_.size(); ++t) EXPECT_TRUE(table.is_live(t));
  }
}

TEST_P(CompactTables, AdmitsWhatSomeLiveTableHas) {
  CompactTable table(b_.space(hole_), list_of(values_, GetParam().points, GetParam().domain));
  Domains domains(b_.problem.points);
  std::vector<TableConstraint::Saved> trail;
  ASSERT_TRUE(domains.fix(b_.at(hole_, 0), values_[0][0]));
  table.note_changed(0);
  ASSERT_TRUE(table.filter(domains, 0, trail));
  std::size_t admitted = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<std::size_t, std::int16_t>> asked;
    for (std::size_t p = 0; p < GetParam().points; ++p)
      if (random_() % 2 == 0)
        asked.emplace_back(p, static_cast<std::int16_t>(random_() % static_cast<unsigned>(GetParam().domain)));
    const auto has = [&](const std::vector<std::int16_t>& t) {
      return fits(t, domains) &&
             std::all_of(asked.begin(), asked.end(), [&](const auto& a) { return t[a.first] == a.second; });
    };
    const bool expected = std::any_of(values_.begin(), values_.end(), has);
    EXPECT_EQ(table.admits(asked), expected);
    admitted += expected ? 1 : 0;
  }
  EXPECT_GT(admitted, 0u);
  EXPECT_LT(admitted, 200u);
}

INSTANTIATE_TEST_SUITE_P(OfSizes, CompactTables,
                         testing::Values(Size{5, 4, 3}, Size{40, 6, 3}, Size{130, 5, 4}, Size{12, 5, 2},
                                         Size{100, 9, 2}),
                         [](const auto& info) {
                           return std::to_string(info.param.tables) + "TablesOf" + std::to_string(info.param.domain) +
                                  "Values";
                         });

}  // namespace
}  // namespace swizzle::compact_table_test
