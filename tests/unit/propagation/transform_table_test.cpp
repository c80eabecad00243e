#include "synth/propagation/transform_table.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::transform_table_test {
namespace {

// Of 4 lanes and 2 iterations: base 0, shift = lane, R = 0 or k, modulus 4: eight tables of the header's example.
std::shared_ptr<const TransformFamilies> rotations_of_four() {
  auto families = std::make_shared<TransformFamilies>();
  families->keys = 2;
  families->rotations[4] = {{0, 0}, {0, 1}};
  families->families = {{4, &families->rotations[4]}};
  for (int k = 0; k < 2; ++k)
    for (std::int16_t lane = 0; lane < 4; ++lane) {
      families->key_of.push_back(static_cast<std::uint32_t>(k));
      families->base.push_back(0);
      families->shift.push_back(lane);
    }
  return families;
}

class TransformTables : public testing::Test {
 protected:
  static constexpr int kLanes = 4;
  static std::size_t at(int lane, int k) { return static_cast<std::size_t>(k * kLanes + lane); }
  // Whether the table is c + lane + r · k for some c and r.
  static std::vector<std::vector<int>> all_tables() {
    std::vector<std::vector<int>> tables;
    for (int c = 0; c < kLanes; ++c)
      for (int r = 0; r < 2; ++r) {
        tables.emplace_back();
        for (int k = 0; k < 2; ++k)
          for (int lane = 0; lane < kLanes; ++lane) tables.back().push_back((lane + r * k + c) % kLanes);
      }
    return tables;
  }
  // The constraint hears of what it removed itself, until nothing changes.
  bool fix(int lane, int k, int value) {
    EXPECT_TRUE(domains_->fix(b_.at(hole_, at(lane, k)), value));
    for (bool again = true; again;) {
      for (PointId p : domains_->changed()) table_.note_changed(p.value);
      domains_->changed().clear();
      if (!table_.filter(*domains_, 0, trail_)) return false;
      again = !domains_->changed().empty();
    }
    return true;
  }
  int count(int lane, int k) const { return domains_->count(b_.at(hole_, at(lane, k))); }
  int value(int lane, int k) const { return domains_->first(b_.at(hole_, at(lane, k))); }

  ProblemBuilder b_;
  const HoleId hole_ = b_.transform(kLanes, 2);
  TransformTable table_{b_.space(hole_), rotations_of_four()};
  std::optional<Domains> domains_{b_.problem.points};
  std::vector<TableConstraint::Saved> trail_;
};

TEST_F(TransformTables, OnePointTellsTheConstantOfItsKey) {
  ASSERT_TRUE(fix(1, 0, 2));
  for (int lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(count(lane, 0), 1);
    EXPECT_EQ(value(lane, 0), (lane + 1) % kLanes);
    EXPECT_EQ(count(lane, 1), 2) << "either R";
  }
}

TEST_F(TransformTables, TwoPointsOfOneKeyThatDisagreeLeaveNothing) {
  ASSERT_TRUE(domains_->fix(b_.at(hole_, at(3, 0)), 3));
  EXPECT_FALSE(fix(1, 0, 2));
}

TEST_F(TransformTables, AnotherKeyTellsTheRotation) {
  ASSERT_TRUE(fix(1, 0, 2));
  ASSERT_TRUE(fix(1, 1, 3));
  for (int lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(count(lane, 1), 1);
    EXPECT_EQ(value(lane, 1), (lane + 2) % kLanes);
  }
}

TEST_F(TransformTables, ARotationThatNoneHasLeavesNothing) {
  ASSERT_TRUE(domains_->fix(b_.at(hole_, at(1, 0)), 2));
  EXPECT_FALSE(fix(1, 1, 0));  // two further
}

// After a conflict, or without one, what was forgotten comes back: the same values give the same again.
TEST_F(TransformTables, RestoreBringsAllTablesBack) {
  const Domains fresh = *domains_;
  for (const std::vector<int>& t : all_tables()) {
    domains_ = fresh;
    bool stands = true;
    for (int k = 0; k < 2; ++k)
      for (int lane = 0; lane < kLanes; ++lane) stands = stands && fix(lane, k, t[at(lane, k)]);
    EXPECT_TRUE(stands);
    domains_ = fresh;
    table_.forget_changes();
    for (; !trail_.empty(); trail_.pop_back()) table_.restore(trail_.back());
  }
}

TEST_F(TransformTables, AdmitsJustWhatSomeTableHas) {
  std::mt19937 random(3);
  const std::vector<std::vector<int>> tables = all_tables();
  std::size_t admitted = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::pair<std::size_t, std::int16_t>> asked;
    for (std::size_t p = 0; p < 8; ++p)
      if (random() % 3 == 0) asked.emplace_back(p, static_cast<std::int16_t>(random() % kLanes));
    if (asked.empty()) continue;
    const auto has = [&](const std::vector<int>& t) {
      return std::all_of(asked.begin(), asked.end(), [&](const auto& a) { return t[a.first] == a.second; });
    };
    const bool expected = std::any_of(tables.begin(), tables.end(), has);
    EXPECT_EQ(table_.admits(asked), expected) << round;
    admitted += expected ? 1 : 0;
  }
  EXPECT_GT(admitted, 10u);
}

TEST_F(TransformTables, AdmitsNoMoreThanIsLeft) {
  EXPECT_TRUE(table_.admits({{at(0, 0), 0}}));
  ASSERT_TRUE(fix(1, 0, 2));
  EXPECT_FALSE(table_.admits({{at(0, 0), 0}}));
  EXPECT_TRUE(table_.admits({{at(0, 0), 1}}));
  EXPECT_TRUE(table_.admits({{at(0, 0), 1}, {at(0, 1), 2}}));
  EXPECT_FALSE(table_.admits({{at(0, 0), 1}, {at(0, 1), 3}}));
}

// Where the values are out of a family's reach, base ≤ value < base + modulus, it has no such table.
TEST_F(TransformTables, AFamilyReachesItsGroupsOnly) {
  auto families = std::make_shared<TransformFamilies>();
  families->keys = 1;
  families->rotations[2] = {{0}};
  families->families = {{2, &families->rotations[2]}};
  families->key_of = {0, 0, 0, 0};
  families->base = {0, 0, 2, 2};
  families->shift = {0, 1, 0, 1};
  ProblemBuilder b;
  const HoleId h = b.transform(4);
  TransformTable table(b.space(h), families);
  EXPECT_TRUE(table.admits({{0, 1}, {2, 3}}));
  EXPECT_FALSE(table.admits({{0, 2}}));
  EXPECT_FALSE(table.admits({{3, 1}}));
  EXPECT_FALSE(table.admits({{0, 1}, {2, 2}})) << "both groups turn alike";
}

}  // namespace
}  // namespace swizzle::transform_table_test
