// What a ConstraintNetwork says of itself: which equations it needs, and why there is no completion. How it is made:
// network_compiler_test.cpp.
#include "synth/network/constraint_network.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::constraint_network_test {
namespace {

class CoveringEquations : public testing::Test {
 protected:
  Value any_of(std::size_t point) { return b_.choice(b_.at(hole_, point), {b_.x(0), b_.x(1), b_.x(2)}); }

  ProblemBuilder b_;
  const HoleId hole_ = b_.transform(3);
};

using Equations = std::vector<std::size_t>;

TEST_F(CoveringEquations, AreThoseThatAskAPointForTheFirstTime) {
  b_.equation(any_of(0), b_.x(0));
  b_.equation(any_of(0), b_.x(0));  // nothing new
  b_.equation(b_.sum({any_of(0), any_of(1)}), b_.sum({b_.x(0), b_.x(1)}));
  EXPECT_EQ(covering_equations(b_.problem), (Equations{0, 2}));
}

TEST_F(CoveringEquations, LookAgainWhereMostValuesLeadToTheSame) {
  const auto stored = [&](int value, Value v) {
    std::vector<Value> values(3, b_.x(9));
    values[static_cast<std::size_t>(value)] = v;
    return b_.choice(b_.at(hole_, 0), values);
  };
  b_.equation(stored(0, b_.x(0)), b_.x(9));
  b_.equation(stored(0, b_.x(1)), b_.x(9));
  b_.equation(stored(1, b_.x(1)), b_.x(9));
  EXPECT_EQ(covering_equations(b_.problem), (Equations{0, 2}));
}

TEST_F(CoveringEquations, HaveAllThatNoHoleDecides) {
  b_.equation(any_of(0), b_.x(0));
  b_.equation(any_of(1), b_.x(0));
  b_.equation(any_of(2), b_.x(0));
  b_.equation(b_.x(3), b_.x(3));
  EXPECT_EQ(covering_equations(b_.problem), (Equations{0, 1, 2, 3}));
}

TEST(NogoodsOfAPoint, AreEmptyUnlessTheySaySomething) {
  PointNogoods nogoods;
  EXPECT_TRUE(nogoods.empty());
  nogoods.unequal.push_back({PointId(0), 0});
  EXPECT_FALSE(nogoods.empty());
}

class Explain : public testing::Test {
 protected:
  Explain() {
    b_.equation(b_.choice(b_.at(hole_, 0), {b_.x(0), b_.x(1), b_.x(2)}), b_.x(9));
    b_.forbid(Value::integer(0));
  }
  std::string text(Conflict conflict) const { return explain(conflict, b_.problem); }
  static Conflict of(HoleId hole) {
    Conflict conflict;
    conflict.hole = hole;
    return conflict;
  }

  ProblemBuilder b_;
  const HoleId hole_ = b_.transform(3);
};

TEST_F(Explain, NamesTheOutputAndWhatItMisses) {
  Conflict conflict;
  conflict.equation = 0;
  conflict.missing = b_.x(9);
  EXPECT_EQ(text(conflict), "y[0], written by thread 0, needs x[9], which no choice of the holes brings there");
}

TEST_F(Explain, NamesTheOutputAndWhatItShouldBe) {
  Conflict conflict;
  conflict.equation = 0;
  EXPECT_EQ(text(conflict), "y[0], written by thread 0, cannot become x[9] while the others are served");
}

TEST_F(Explain, CountsProductsWhereTheyAreTooFew) {
  Conflict conflict;
  conflict.equation = 0;
  conflict.needed = 3;
  conflict.offered = 2;
  EXPECT_EQ(
      text(conflict),
      "y[0], written by thread 0, and the outputs computed with it need 3 different products, and the sketch offers 2");
}

TEST_F(Explain, SaysThatAnOutputIsNeverStored) {
  b_.problem.equations[0].stored = false;
  Conflict conflict;
  conflict.equation = 0;
  EXPECT_EQ(text(conflict), "y[0] is never stored");
}

TEST_F(Explain, HasTheRequirementsOwnWords) {
  Conflict conflict;
  conflict.requirement = 0;
  EXPECT_EQ(text(conflict), "forbidden");
}

TEST_F(Explain, NamesTheHoleAndItsGrammar) {
  const HoleId part = b_.part(2, 2), condition = b_.condition(2), rival = b_.transform(4);
  b_.problem.holes[rival.value].kind = HoleKind::kXor;
  EXPECT_EQ(text(of(hole_)), "no grouping, fanning and rotation for the hole 0 gives what the outputs need");
  EXPECT_EQ(text(of(part)), "no partition for the hole 1 gives what the outputs need");
  EXPECT_EQ(text(of(condition)), "no condition for the hole 2 gives what the outputs need");
  EXPECT_EQ(text(of(rival)), "no XOR with bits of its arguments for the hole 3 gives what the outputs need");
}

}  // namespace
}  // namespace swizzle::constraint_network_test
