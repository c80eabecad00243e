#include "synth/propagation/table_constraint.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "synth/propagation/compact_table.h"
#include "synth/propagation/transform_table.h"

namespace swizzle::table_constraint_test {
namespace {

HoleSpace hole(HoleKind kind, int lanes, int iterations, PointTable& points) {
  HoleSpace s;
  s.id = HoleId(0);
  s.kind = kind;
  s.domain = s.traits().index ? lanes : 2;
  s.first_argument = s.traits().first_key;
  std::vector<Arguments> arguments;
  for (int k = 0; k < iterations; ++k)
    for (int lane = 0; lane < lanes; ++lane) {
      arguments.push_back({lane, k});
      s.points.push_back(points.intern(s.id, arguments.back(), s.domain));
    }
  s.arguments = arguments;
  return s;
}

// By point, the values that some table within the domains has; nothing at all if there is no such table.
std::vector<std::uint64_t> supported(const HoleSpace& s, const TableGrammar& grammar, const Domains& domains) {
  std::vector<std::uint64_t> values(s.points.size(), 0);
  for (const HoleTable& t : grammar.within(domains, kAnyCost, 1'000'000).tables)
    for (std::size_t p = 0; p < values.size(); ++p) values[p] |= std::uint64_t{1} << t.values[p];
  return values;
}

struct Shape {
  int lanes, iterations;
  HoleKind kind = HoleKind::kXform;
};

class TableConstraints : public testing::TestWithParam<Shape> {
 protected:
  PointTable points_;
  std::vector<HoleSpace> holes_{hole(GetParam().kind, GetParam().lanes, GetParam().iterations, points_)};
  const HoleSpace& space_ = holes_[0];
  std::unique_ptr<TableGrammar> grammar_ = std::move(grammars_of(holes_)[0]);

  // Narrows random points one by one and filters after each: what is left must still hold every table, and be nothing
  // where there is none. `exact`: nothing but what tables have is left.
  void narrow_at_random(TableConstraint& constraint, bool exact, std::uint32_t seed) {
    std::mt19937 random(seed);
    Domains domains(points_);
    std::vector<TableConstraint::Saved> trail;
    ASSERT_TRUE(constraint.filter(domains, 0, trail));
    for (int step = 0; step < 12; ++step) {
      const std::size_t p = random() % space_.points.size();
      const std::uint64_t mask = random() | (std::uint64_t{1} << domains.first(space_.points[p]));
      ASSERT_TRUE(domains.keep(space_.points[p], &mask));
      constraint.note_changed(p);
      const std::vector<std::uint64_t> expected = supported(space_, *grammar_, domains);
      if (!constraint.filter(domains, 0, trail)) {
        EXPECT_EQ(expected[0], 0u);
        break;
      }
      for (std::size_t q = 0; q < expected.size(); ++q) {
        const std::uint64_t left = *domains.values(space_.points[q]);
        EXPECT_EQ(expected[q] & ~left, 0u) << "point " << q;
        if (exact) {
          EXPECT_EQ(expected[q], left) << "point " << q;
        }
      }
      for (PointId changed : domains.changed()) constraint.note_changed(changed.value);
      domains.changed().clear();
    }
    constraint.forget_changes();
    for (; !trail.empty(); trail.pop_back()) constraint.restore(trail.back());
  }
};

TEST_P(TableConstraints, ListedTablesLeaveExactlyTheirValues) {
  const auto list = std::make_shared<TableList>(grammar_->within(Domains(points_), kAnyCost, 1'000'000).tables,
                                                space_.points.size(), space_.domain);
  CompactTable table(space_, list);
  for (std::uint32_t seed = 0; seed < 20; ++seed) narrow_at_random(table, true, seed);
}

TEST_P(TableConstraints, NoListedTableLeavesNoValue) {
  CompactTable table(space_,
                     std::make_shared<TableList>(std::vector<HoleTable>{}, space_.points.size(), space_.domain));
  Domains domains(points_);
  const std::uint64_t only_zero = 1;
  ASSERT_TRUE(domains.keep(space_.points[0], &only_zero));
  std::vector<TableConstraint::Saved> trail;
  EXPECT_FALSE(table.filter(domains, 0, trail));
}

// The same constraint, narrowed and restored again and again, forgets nothing.
TEST_P(TableConstraints, FamiliesLoseNoTableAndEndWhereThereIsNone) {
  TransformTable table(space_, grammar_->families());
  for (std::uint32_t seed = 0; seed < 40; ++seed) narrow_at_random(table, false, seed);
}

TEST_P(TableConstraints, FamiliesKnowTheOnlyTableFromItsValues) {
  const std::vector<HoleTable> tables = grammar_->within(Domains(points_), kAnyCost, 1'000'000).tables;
  for (std::size_t t = 0; t < tables.size(); t += tables.size() / 10 + 1) {
    TransformTable table(space_, grammar_->families());
    Domains domains(points_);
    std::vector<TableConstraint::Saved> trail;
    for (std::size_t p = 0; p < space_.points.size(); ++p)
      ASSERT_TRUE(domains.fix(space_.points[p], tables[t].values[p]));
    EXPECT_TRUE(table.filter(domains, 0, trail));
    Domains wrong(points_);
    TransformTable fresh(space_, grammar_->families());
    bool any = true;
    for (std::size_t p = 0; p < space_.points.size(); ++p)
      ASSERT_TRUE(wrong.fix(space_.points[p], p + 1 == space_.points.size() ? (tables[t].values[p] + 1) % space_.domain
                                                                            : tables[t].values[p]));
    any = supported(space_, *grammar_, wrong)[0] != 0;
    EXPECT_EQ(fresh.filter(wrong, 0, trail), any);
  }
}

// A few values of a table, and the same with one changed.
TEST_P(TableConstraints, FamiliesAdmitTheValuesThatSomeTableHas) {
  const std::vector<HoleTable> tables = grammar_->within(Domains(points_), kAnyCost, 1'000'000).tables;
  TransformTable families(space_, grammar_->families());
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const HoleTable& table = tables[random() % tables.size()];
    std::vector<std::pair<std::size_t, std::int16_t>> asked;
    for (std::size_t p = 0; p < space_.points.size(); ++p)
      if (random() % 3 == 0) asked.emplace_back(p, table.values[p]);
    if (asked.empty()) continue;
    EXPECT_TRUE(families.admits(asked));
    std::int16_t& changed = asked[random() % asked.size()].second;
    changed = static_cast<std::int16_t>((changed + 1) % space_.domain);
    const auto has = [&](const HoleTable& t) {
      return std::all_of(asked.begin(), asked.end(), [&](const auto& a) { return t.values[a.first] == a.second; });
    };
    EXPECT_EQ(families.admits(asked), std::any_of(tables.begin(), tables.end(), has)) << round;
  }
}

class Conditions : public TableConstraints {};

TEST_P(Conditions, LeaveExactlyTheirValues) {
  const auto list = std::make_shared<TableList>(grammar_->within(Domains(points_), kAnyCost, 1'000'000).tables,
                                                space_.points.size(), space_.domain);
  CompactTable table(space_, list);
  for (std::uint32_t seed = 0; seed < 60; ++seed) narrow_at_random(table, true, seed);
}

INSTANTIATE_TEST_SUITE_P(AtSizes, Conditions,
                         testing::Values(Shape{4, 1, HoleKind::kCond}, Shape{8, 8, HoleKind::kCond},
                                         Shape{16, 5, HoleKind::kCond}),
                         [](const auto& info) {
                           return "Lanes" + std::to_string(info.param.lanes) + "Iterations" +
                                  std::to_string(info.param.iterations);
                         });

INSTANTIATE_TEST_SUITE_P(AtSizes, TableConstraints,
                         testing::Values(Shape{4, 1}, Shape{6, 2}, Shape{8, 3}, Shape{12, 2}, Shape{16, 3}),
                         [](const auto& info) {
                           return "Lanes" + std::to_string(info.param.lanes) + "Iterations" +
                                  std::to_string(info.param.iterations);
                         });

}  // namespace
}  // namespace swizzle::table_constraint_test
