#include "synth/propagation/table_constraints.h"

#include <gtest/gtest.h>

#include "tests/unit/hole_table.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::table_constraints_test {
namespace {

// Two holes of two points each: one with tables 01, 10 and 11, one with 00 and 11.
class ListedHoles : public testing::Test {
 protected:
  ListedHoles() {
    holes_.add(b_.space(first_), list({{0, 1}, {1, 0}, {1, 1}}));
    holes_.add(b_.space(second_), list({{0, 0}, {1, 1}}));
  }

  static std::shared_ptr<const TableList> list(const std::vector<std::vector<std::int16_t>>& tables) {
    std::vector<HoleTable> all;
    for (const auto& values : tables) all.push_back(table(values));
    return std::make_shared<const TableList>(std::move(all), 2, 2);
  }

  bool decide(PointId point, int value) {
    const Domains::Word only = Domains::Word{1} << value;
    const bool is_left = domains_.keep(point, &only);
    holes_.note_change(point);
    return is_left;
  }
  // Until none waits. The hole that has no table left, if any.
  std::optional<HoleId> ask_all() {
    while (holes_.any_listed_waits())
      if (const auto failed = holes_.ask_listed()) return failed;
    return std::nullopt;
  }

  ProblemBuilder b_;
  const HoleId first_ = b_.condition(2), second_ = b_.condition(2);
  Domains domains_{b_.problem.points};
  TableConstraints holes_{domains_};
};

TEST_F(ListedHoles, LeaveWhatSomeTableHas) {
  ASSERT_TRUE(decide(b_.at(first_, 0), 0));
  EXPECT_EQ(ask_all(), std::nullopt);
  EXPECT_FALSE(domains_.allows(b_.at(first_, 1), 0));
  EXPECT_EQ(domains_.count(b_.at(second_, 0)), 2);
}

TEST_F(ListedHoles, NameTheOneThatHasNoTableLeft) {
  ASSERT_TRUE(decide(b_.at(second_, 0), 0));
  ASSERT_TRUE(decide(b_.at(second_, 1), 1));
  EXPECT_EQ(ask_all(), second_);
}

TEST_F(ListedHoles, HaveTheirTablesBackOnceWhatWasDecidedIsUndone) {
  EXPECT_EQ(ask_all(), std::nullopt);
  const Domains before = domains_;
  const std::size_t mark = holes_.mark();
  ASSERT_TRUE(decide(b_.at(second_, 0), 0));
  EXPECT_EQ(ask_all(), std::nullopt);
  domains_ = before;
  holes_.undo(mark);
  ASSERT_TRUE(decide(b_.at(second_, 0), 1));
  EXPECT_EQ(ask_all(), std::nullopt);
  EXPECT_FALSE(domains_.allows(b_.at(second_, 1), 0));
}

TEST_F(ListedHoles, AreFoundByTheirPoints) {
  EXPECT_NE(holes_.table_of(b_.space(first_)), nullptr);
  EXPECT_FALSE(holes_.has_families(b_.space(first_)));
  EXPECT_EQ(holes_.by_point().size(), 4u);
}

}  // namespace
}  // namespace swizzle::table_constraints_test
