#include "synth/propagation/implied_literals.h"

#include <gtest/gtest.h>

#include "synth/propagation/compact_table.h"
#include "synth/propagation/transform_table.h"

namespace swizzle::implied_literals_test {
namespace {

// Two holes of 8 lanes, P and Q, each asked on every lane.
class ImpliedLiteralsOfLanes : public testing::Test {
 protected:
  static constexpr int kLanes = 8;

  HoleSpace lanes(std::uint32_t id) {
    HoleSpace s;
    s.id = HoleId(id);
    s.kind = HoleKind::kXform;
    s.domain = kLanes;
    s.first_argument = s.traits().first_key;
    std::vector<Arguments> arguments;
    for (int lane = 0; lane < kLanes; ++lane) {
      arguments.push_back({lane});
      s.points.push_back(points_.intern(s.id, arguments.back(), kLanes));
    }
    s.arguments = arguments;
    return s;
  }

  Path p_then_q(int lane, int p, int q_lane, int q) const {
    return {{holes_[0].points[static_cast<std::size_t>(lane)], p},
            {holes_[1].points[static_cast<std::size_t>(q_lane)], q}};
  }

  PointTable points_;
  std::vector<HoleSpace> holes_{lanes(0), lanes(1)};
  std::vector<std::unique_ptr<TableGrammar>> grammars_ = grammars_of(holes_);
};

TEST_F(ImpliedLiteralsOfLanes, RefuseValuesThatForceDifferentValuesOfOnePoint) {
  ImpliedLiterals test(holes_[0], ImpliedLiterals::Constraints(points_.size(), {nullptr, 0}));
  test.add(implications({p_then_q(0, 5, 5, 0), p_then_q(0, 6, 6, 0)}));
  test.add(implications({p_then_q(1, 5, 5, 1), p_then_q(1, 6, 6, 0)}));
  EXPECT_TRUE(test.any());
  EXPECT_FALSE(test.passes({0, 1}, {5, 5}));
  EXPECT_TRUE(test.passes({0, 1}, {6, 6}));
  EXPECT_TRUE(test.passes({0, 1}, {5, 6}));
}

TEST_F(ImpliedLiteralsOfLanes, RefuseValuesThatNoTableOfTheOtherHoleHas) {
  const auto families = grammars_[1]->families();
  ASSERT_TRUE(families);
  const auto list =
      std::make_shared<TableList>(grammars_[1]->within(Domains(points_), kAnyCost, 10'000).tables, kLanes, kLanes);
  TransformTable by_families(holes_[1], families);
  CompactTable by_list(holes_[1], list);
  for (TableConstraint* constraint : std::initializer_list<TableConstraint*>{&by_families, &by_list}) {
    ImpliedLiterals::Constraints constraints(points_.size(), {nullptr, 0});
    for (std::size_t p = 0; p < kLanes; ++p) constraints[holes_[1].points[p].value] = {constraint, p};
    ImpliedLiterals test(holes_[0], constraints);
    for (int lane = 0; lane < kLanes; ++lane)
      test.add(implications(
          {p_then_q(lane, lane, lane, 7 - lane), p_then_q(lane, (lane + 1) % 8, lane, lane < 2 ? 3 : lane)}));
    EXPECT_TRUE(test.passes({0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}));   // a reversal
    EXPECT_FALSE(test.passes({0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7, 0}));  // 3 twice
  }
}

// An alternative that does not ask the hole leaves all of its values free.
TEST_F(ImpliedLiteralsOfLanes, AreNoneWhereAnAlternativeDoesNotAskTheHole) {
  ImpliedLiterals test(holes_[0], ImpliedLiterals::Constraints(points_.size(), {nullptr, 0}));
  test.add(implications({p_then_q(0, 5, 5, 0), Path{{holes_[1].points[3], 1}}}));
  EXPECT_FALSE(test.any());
}

// What the alternatives of one value have in common is all that it forces.
TEST_F(ImpliedLiteralsOfLanes, AreWhatTheAlternativesOfAValueShare) {
  ImpliedLiterals test(holes_[0], ImpliedLiterals::Constraints(points_.size(), {nullptr, 0}));
  test.add(implications({Path{{holes_[0].points[0], 5}, {holes_[1].points[5], 0}, {holes_[1].points[6], 1}},
                         Path{{holes_[0].points[0], 5}, {holes_[1].points[5], 0}, {holes_[1].points[6], 2}}}));
  test.add(implications({p_then_q(1, 4, 6, 7), p_then_q(1, 3, 5, 7)}));
  EXPECT_TRUE(test.passes({0, 1}, {5, 4}));
  EXPECT_FALSE(test.passes({0, 1}, {5, 3}));
}

TEST_F(ImpliedLiteralsOfLanes, AreForcedByChoicesThatSomeValueLeavesNothingElseTo) {
  EXPECT_FALSE(implications({p_then_q(0, 5, 5, 0), p_then_q(0, 6, 6, 0)}).empty());
  EXPECT_FALSE(implications({p_then_q(0, 5, 5, 0), p_then_q(0, 5, 5, 1), p_then_q(0, 6, 6, 0)}).empty());
  EXPECT_TRUE(
      implications({p_then_q(0, 5, 5, 0), p_then_q(0, 5, 5, 1), p_then_q(0, 6, 5, 0), p_then_q(0, 6, 5, 1)}).empty());
  EXPECT_TRUE(implications({p_then_q(0, 5, 5, 0), Path{{holes_[1].points[3], 1}}}).empty());
  EXPECT_TRUE(implications({Path{{holes_[0].points[0], 5}}, Path{{holes_[0].points[0], 6}}}).empty());
}

}  // namespace
}  // namespace swizzle::implied_literals_test
