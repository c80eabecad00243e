#include "synth/bits/alike_equations.h"

#include <gtest/gtest.h>

#include "synth/provenance/words.h"

namespace swizzle::alike_equations_test {
namespace {

struct Equations {
  Problem problem;

  Value bit(int element, int position, unsigned buffer = 0) {
    return problem.provenance.bit(BufferId(buffer), element, position);
  }
  Value pick(unsigned point, Value a, Value b) { return problem.provenance.choice(PointId(point), {a, b}); }
  Value word(Value low, Value high) { return problem.provenance.word({low, high}); }
  void add(Value actual, Value expected) { problem.equations.push_back({actual, expected, BufferId(1)}); }
  std::vector<std::size_t> unlike() const { return unlike_equations(problem); }
};

TEST(AlikeEquations, NamesOfElementsDoNotCount) {
  Equations e;
  for (const int i : {3, 0, 7})
    e.add(e.word(e.pick(0, e.bit(i, 0), e.bit(i + 1, 1)), e.bit(i, 1)), e.word(e.bit(i + 1, 1), e.bit(i, 1)));
  EXPECT_EQ(e.unlike(), (std::vector<std::size_t>{0}));
}

TEST(AlikeEquations, PointsCount) {
  Equations e;
  e.add(e.pick(0, e.bit(0, 0), e.bit(0, 1)), e.bit(0, 0));
  e.add(e.pick(1, e.bit(1, 0), e.bit(1, 1)), e.bit(1, 0));
  EXPECT_EQ(e.unlike(), (std::vector<std::size_t>{0, 1}));
}

TEST(AlikeEquations, PositionsInAnElementCount) {
  Equations e;
  e.add(e.pick(0, e.bit(0, 0), e.bit(0, 1)), e.bit(0, 0));
  e.add(e.pick(0, e.bit(1, 0), e.bit(1, 2)), e.bit(1, 0));
  EXPECT_EQ(e.unlike(), (std::vector<std::size_t>{0, 1}));
}

TEST(AlikeEquations, WhichOfTheElementsIsExpectedCounts) {
  Equations e;
  e.add(e.pick(0, e.bit(0, 0), e.bit(1, 0)), e.bit(0, 0));
  e.add(e.pick(0, e.bit(2, 0), e.bit(3, 0)), e.bit(3, 0));
  EXPECT_EQ(e.unlike(), (std::vector<std::size_t>{0, 1}));
}

TEST(AlikeEquations, TheSameElementTwiceIsNotTwoElements) {
  Equations e;
  e.add(e.pick(0, e.bit(0, 0), e.bit(0, 1)), e.bit(0, 0));
  e.add(e.pick(0, e.bit(1, 0), e.bit(2, 1)), e.bit(1, 0));
  e.add(e.pick(0, e.bit(1, 0), e.bit(1, 1, 2)), e.bit(1, 0));  // of two buffers: two elements, too
  EXPECT_EQ(e.unlike(), (std::vector<std::size_t>{0, 1}));
}

TEST(AlikeEquations, SumsCountAsTheyAre) {
  Equations e;
  const auto sum = [&](int i) { return gate(e.problem.provenance, Operator::kXor, e.bit(i, 0), e.bit(i, 1)); };
  const auto product = [&](int i) { return gate(e.problem.provenance, Operator::kAnd, e.bit(i, 0), e.bit(i, 1)); };
  for (const int i : {0, 1}) e.add(e.pick(0, sum(i), e.bit(i, 2)), sum(i));
  for (const int i : {0, 1}) e.add(e.pick(0, product(i), e.bit(i, 2)), product(i));
  EXPECT_EQ(e.unlike(), (std::vector<std::size_t>{0, 2}));
}

}  // namespace
}  // namespace swizzle::alike_equations_test
