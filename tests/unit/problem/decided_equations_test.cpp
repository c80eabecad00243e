#include "synth/problem/decided_equations.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::decided_equations_test {
namespace {

class DecidedEquations : public testing::Test {
 protected:
  Value is_0(Value v) { return p_.binary(Operator::kEq, Scalar::kU32, v, Value::integer(0)); }
  Value select(Value condition, Value a, Value b) { return p_.select(condition, a, b, Scalar::kU32); }
  std::vector<Equation> decided() {
    const std::vector<std::size_t> equations{0};
    return decided_equations(b_.problem, equations, deciding_elements(b_.problem, equations));
  }

  ProblemBuilder b_;
  Provenance& p_ = b_.problem.provenance;
  const HoleId which_ = b_.transform(2), whether_ = b_.condition(1);
  const Value open_x_ = b_.choice(b_.at(which_, 0), {b_.x(0), b_.x(2)});
  const Value open_a_ = b_.choice(b_.at(which_, 0), {b_.a(0), b_.a(2)});
};

TEST_F(DecidedEquations, AreThoseOfSumsWhereAllHeadsAreAlike) {
  const Value any = p_.binary(Operator::kOr, Scalar::kU32, b_.a(1), open_a_);
  const Value taken = select(is_0(any), b_.sum({b_.x(1), open_x_}), b_.x(1));
  b_.equation(b_.choice(b_.at(whether_, 0), {b_.x(1), taken}),
              select(is_0(b_.a(1)), b_.sum({b_.x(0), b_.x(1)}), b_.x(1)));
  const NodeSet deciding = deciding_elements(b_.problem, {0});
  EXPECT_EQ(deciding, (NodeSet{b_.a(0).aux, b_.a(1).aux, b_.a(2).aux}));
  const std::vector<Equation> found = decided();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].expected, b_.normal(b_.sum({b_.x(0), b_.x(1)})));
  EXPECT_EQ(found[0].actual, b_.normal(b_.sum({b_.x(1), b_.choice(b_.at(whether_, 0), {Value::integer(0), open_x_})})));
  EXPECT_EQ(found[1].expected, b_.x(1));
  EXPECT_EQ(found[1].actual, b_.x(1));
}

TEST_F(DecidedEquations, AreNoneOfElementsThatAreAddedToo) {
  b_.equation(select(is_0(open_x_), b_.x(1), b_.x(0)), select(is_0(b_.x(0)), b_.x(1), b_.x(0)));
  EXPECT_EQ(deciding_elements(b_.problem, {0}), (NodeSet{b_.x(2).aux}));
  EXPECT_TRUE(decided().empty());
}

TEST_F(DecidedEquations, AreNoneWhereAnElementIsLookedAtBitByBit) {
  b_.equation(select(is_0(open_a_), b_.x(1), b_.x(0)), select(is_0(b_.a(0)), b_.x(1), b_.x(0)));
  EXPECT_FALSE(deciding_elements(b_.problem, {0}).empty());
  b_.equation(p_.word({p_.bit(BufferId(2), 0, 3)}), b_.x(0));
  EXPECT_TRUE(deciding_elements(b_.problem, {0, 1}).empty());
}

TEST_F(DecidedEquations, AreNoneOfElementsOfWhichTheGreatestDecides) {
  const auto less = [&](Value v, Value w) { return p_.binary(Operator::kLt, Scalar::kU32, v, w); };
  b_.equation(select(less(b_.a(0), open_a_), b_.x(0), open_x_), select(less(b_.a(0), b_.a(2)), b_.x(0), b_.x(2)));
  EXPECT_TRUE(deciding_elements(b_.problem, {0}).empty());
  b_.equation(select(less(open_a_, Value::integer(7)), b_.x(0), open_x_), b_.x(0));
  EXPECT_EQ(deciding_elements(b_.problem, {1}), (NodeSet{b_.a(0).aux, b_.a(2).aux}));
}

}  // namespace
}  // namespace swizzle::decided_equations_test
