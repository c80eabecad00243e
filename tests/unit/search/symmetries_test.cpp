// Which holes may change places in a ConstraintNetwork. With kernels: exchanges_of_sketches_test.cpp.
#include "synth/search/symmetries.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/unit/brute_force.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::symmetries_test {
namespace {

// y[lane] = x[0] ^ x[1], from two fetches whose lanes two holes P and Q say; perhaps under conditions.
class SymmetriesOfTwoFetches : public testing::Test {
 protected:
  Value fetch(HoleId hole, std::size_t lane) { return b_.choice(b_.at(hole, lane), {b_.x(0), b_.x(1)}); }
  void pose() {
    for (std::size_t lane = 0; lane < 2; ++lane)
      b_.equation(b_.sum({fetch(p_, lane), fetch(q_, lane)}), b_.sum({b_.x(0), b_.x(1)}));
  }
  std::vector<VariableSymmetry> found() {
    ConstraintNetwork network;
    EXPECT_FALSE(b_.compile(network));
    return find_symmetries(b_.problem, network, GuardedIssues(b_.problem, {}));
  }

  ProblemBuilder b_{Ring::kXor};
  const HoleId p_ = b_.transform(2), q_ = b_.transform(2);
};

TEST_F(SymmetriesOfTwoFetches, AreOfHolesThatAreAlike) {
  pose();
  EXPECT_EQ(found(), (std::vector<VariableSymmetry>{{1, 0}}));
}

TEST_F(SymmetriesOfTwoFetches, AreNoneIfOneIsDearer) {
  b_.problem.executions[q_.value] = 2;
  pose();
  EXPECT_TRUE(found().empty());
}

TEST_F(SymmetriesOfTwoFetches, AreNoneIfOneGuardsSomething) {
  b_.guard(q_, {.accumulates = 1});
  pose();
  EXPECT_TRUE(found().empty());
}

TEST_F(SymmetriesOfTwoFetches, AreNoneOfAnotherGrammar) {
  b_.problem.holes[q_.value].kind = HoleKind::kXor;
  pose();
  EXPECT_TRUE(found().empty());
}

TEST_F(SymmetriesOfTwoFetches, AreNoneIfARequirementAsksOneOfThem) {
  pose();
  b_.forbid(b_.equal(b_.index(b_.at(p_, 0)), b_.index(b_.at(p_, 1))));
  EXPECT_TRUE(found().empty());
}

TEST_F(SymmetriesOfTwoFetches, AreNoneIfTheyFetchOtherThings) {
  for (std::size_t lane = 0; lane < 2; ++lane)
    b_.equation(b_.sum({fetch(p_, lane), b_.choice(b_.at(q_, lane), {b_.x(2), b_.x(3)})}), b_.sum({b_.x(0), b_.x(2)}));
  EXPECT_TRUE(found().empty());
}

// In y[1] alone they are told apart: a fetch of P stands there alone.
TEST_F(SymmetriesOfTwoFetches, AreNoneIfSomeOutputTellsThemApart) {
  b_.equation(b_.sum({fetch(p_, 0), fetch(q_, 0)}), b_.sum({b_.x(0), b_.x(1)}));
  b_.equation(fetch(p_, 1), b_.x(1));
  EXPECT_TRUE(found().empty());
}

TEST_F(SymmetriesOfTwoFetches, TakeTheirConditionsAlong) {
  const HoleId c = b_.condition(2), d = b_.condition(2), e = b_.condition(2), f = b_.condition(2);
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const Value u = fetch(p_, lane), v = fetch(q_, lane);
    b_.equation(b_.sum({b_.when(b_.at(c, lane), u), b_.when(b_.at(d, lane), v)}), b_.x(0));
    b_.equation(b_.sum({b_.when(b_.at(e, lane), u), b_.when(b_.at(f, lane), v)}), b_.x(1));
  }
  EXPECT_EQ(found(), (std::vector<VariableSymmetry>{{1, 0, 3, 2, 5, 4}}));
}

// Three that are alike: any two of them. Each is its own inverse, and makes a solution of each solution.
TEST(Symmetries, AreTheirOwnInverseAndKeepSolutions) {
  ProblemBuilder b(Ring::kSum, Scalar::kI32);
  std::vector<HoleId> holes;
  for (int h = 0; h < 3; ++h) holes.push_back(b.transform(3, 1));
  std::vector<Value> fetches;
  for (HoleId h : holes) fetches.push_back(b.choice(b.at(h, 0), {b.x(0), b.x(1), b.x(2)}));
  b.equation(b.sum(fetches), b.sum({b.x(0), b.x(1), b.x(2)}));
  ConstraintNetwork network;
  ASSERT_FALSE(b.compile(network));
  const std::vector<VariableSymmetry> found = find_symmetries(b.problem, network, GuardedIssues(b.problem, {}));
  EXPECT_EQ(found.size(), 3u);
  const std::vector<Assignment> solutions = solutions_of(b.problem);
  const std::set<Assignment> known(solutions.begin(), solutions.end());
  ASSERT_FALSE(known.empty());
  for (const VariableSymmetry& symmetry : found) {
    for (std::size_t h = 0; h < symmetry.size(); ++h) EXPECT_EQ(symmetry[symmetry[h]], h);
    for (const Assignment& s : solutions) {
      Assignment image(s.size());
      for (const HoleId h : holes)
        for (std::size_t i = 0; i < 3; ++i) image[b.at(HoleId(symmetry[h.value]), i).value] = s[b.at(h, i).value];
      EXPECT_TRUE(known.contains(image));
    }
  }
}

}  // namespace
}  // namespace swizzle::symmetries_test
