#include "synth/bits/separate_bits.h"

#include <gtest/gtest.h>

#include "synth/provenance/words.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::separate_bits_test {
namespace {

// y[0] of 8 bits against what the spec says, with bits of masks open.
class SeparateBitsOf : public ::testing::Test {
 protected:
  SeparateBitsOf() : problem(builder.problem) {}

  Value x(int i) { return problem.provenance.bit(BufferId(0), 0, i); }
  Value with(Operator op, Value a, Value b) { return gate(problem.provenance, op, a, b); }
  // A bit of a mask: 0 or 1.
  Value mask(std::uint32_t p) { return problem.provenance.choice(PointId(p), {Value::integer(0), Value::integer(1)}); }

  SeparateBits settled(const std::vector<Value>& actual, const std::vector<Value>& expected, std::size_t points) {
    const HoleId hole = builder.condition(points);
    EXPECT_EQ(problem.points.size(), points) << hole.value;
    Equation e;
    e.scalar = Scalar::kU8;
    e.actual = word_of(problem.provenance, e.scalar, std::span(actual));
    e.expected = word_of(problem.provenance, e.scalar, std::span(expected));
    problem.equations = {e};
    return settle_separately(problem, {0}, {e.actual}, Assignment(points, -1), {});
  }

  ProblemBuilder builder{Ring::kXor, Scalar::kU8};
  Problem& problem;
};

TEST_F(SeparateBitsOf, EachIsWhatItsOutputNeeds) {
  std::vector<Value> actual, expected;
  for (int i = 0; i < 3; ++i) {
    const Value masked =
        with(Operator::kAnd, with(Operator::kAnd, x(i), x(i + 1)), mask(static_cast<std::uint32_t>(i)));
    actual.push_back(with(Operator::kOr, masked, with(Operator::kAnd, x(i), x(i + 2))));
    expected.push_back(with(Operator::kAnd, x(i), i == 1 ? x(i + 2) : with(Operator::kOr, x(i + 1), x(i + 2))));
  }
  const SeparateBits bits = settled(actual, expected, 3);
  ASSERT_EQ(bits.outcome, SeparateBits::Outcome::kSolved);
  EXPECT_EQ(bits.solution, (Assignment{1, 0, 1}));
}

TEST_F(SeparateBitsOf, AGroupWithoutASolutionDecides) {
  const Value never = with(Operator::kAnd, with(Operator::kAnd, x(0), x(1)), mask(1));
  const SeparateBits bits = settled({with(Operator::kAnd, x(0), mask(0)), never}, {x(0), x(1)}, 2);
  ASSERT_EQ(bits.outcome, SeparateBits::Outcome::kImpossible);
  EXPECT_EQ(bits.bit, 1);
}

TEST_F(SeparateBitsOf, PointsOfOneBitAreSettledTogether) {
  // m0·x0 ^ m1·x0 ^ x1·m2: one of the first two, and the last.
  const Value sum = with(Operator::kXor,
                         with(Operator::kXor, with(Operator::kAnd, x(0), mask(0)), with(Operator::kAnd, x(0), mask(1))),
                         with(Operator::kAnd, x(1), mask(2)));
  const SeparateBits bits = settled({sum}, {with(Operator::kXor, x(0), x(1))}, 3);
  ASSERT_EQ(bits.outcome, SeparateBits::Outcome::kSolved);
  EXPECT_EQ(bits.solution[0] + bits.solution[1], 1);
  EXPECT_EQ(bits.solution[2], 1);
}

}  // namespace
}  // namespace swizzle::separate_bits_test
