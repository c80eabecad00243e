// From equations to matchings, sums and nogoods.
#include <gtest/gtest.h>

#include "synth/network/constraint_network.h"
#include "tests/unit/brute_force.h"
#include "tests/unit/random_problem.h"

namespace swizzle::network_compiler_test {
namespace {

class NetworkCompiler : public testing::Test {
 protected:
  Value fetch(std::size_t i) { return b_.choice(b_.at(lanes_, i), {b_.x(0), b_.x(1), b_.x(2), b_.x(3)}); }
  Value stored(std::size_t i, int value, Value then, Value otherwise) {
    std::vector<Value> values(4, otherwise);
    values[static_cast<std::size_t>(value)] = then;
    return b_.choice(b_.at(lanes_, i), values);
  }

  ProblemBuilder b_{Ring::kSum, Scalar::kI32};
  const HoleId lanes_ = b_.transform(4), conditions_ = b_.condition(4);
  ConstraintNetwork network_;
};

TEST_F(NetworkCompiler, AsManyTuplesAsMonomialsAreAMatching) {
  b_.equation(b_.sum({fetch(0), fetch(1)}), b_.sum({b_.x(0), b_.x(1)}));
  ASSERT_FALSE(b_.compile(network_));
  ASSERT_EQ(network_.matchings.size(), 1u);
  EXPECT_TRUE(network_.sums.empty());
  EXPECT_EQ(network_.matchings[0].tuples.size(), 2u);
  EXPECT_EQ(network_.matchings[0].monomials.size(), 2u);
  EXPECT_TRUE(network_.covered[0] && network_.exact[0]);
}

// -x[2], of lanes of which some have 0: a sum would have to reckon with what takes something away.
TEST_F(NetworkCompiler, ZerosThatMayBeFetchedBringNothingToAMatching) {
  const Value zero = Value::integer(0), padded = b_.choice(b_.at(lanes_, 1), {zero, b_.x(1), b_.x(2), zero});
  const auto negated = [&](Value v) { return b_.product(Value::integer(-1), v); };
  b_.equation(b_.sum({fetch(0), negated(padded)}), b_.sum({b_.x(0), negated(b_.x(2))}));
  ASSERT_FALSE(b_.compile(network_));
  ASSERT_EQ(network_.matchings.size(), 1u);
  EXPECT_TRUE(network_.sums.empty());
  EXPECT_TRUE(network_.exact[0]);
  EXPECT_EQ(network_.fetches[1].shape->leaves.size(), 2u);
}

TEST_F(NetworkCompiler, FewerTuplesThanMonomialsAreAConflict) {
  b_.equation(fetch(0), b_.sum({b_.x(0), b_.x(1)}));
  const auto conflict = b_.compile(network_);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->equation, 0u);
  EXPECT_EQ(conflict->needed, 2u);
  EXPECT_EQ(conflict->offered, 1u);
}

// One fetch too many: what it brings must be taken away by something, or nothing; a sum, which is not the last word.
TEST_F(NetworkCompiler, MoreTuplesThanMonomialsAreASum) {
  b_.equation(b_.sum({b_.when(b_.at(conditions_, 0), fetch(0)), b_.when(b_.at(conditions_, 1), fetch(1))}), b_.x(0));
  ASSERT_FALSE(b_.compile(network_));
  EXPECT_TRUE(network_.matchings.empty());
  ASSERT_EQ(network_.sums.size(), 1u);
  EXPECT_EQ(network_.sums[0].terms.size(), 2u);
  EXPECT_TRUE(network_.covered[0]);
  EXPECT_FALSE(network_.exact[0]);
}

TEST_F(NetworkCompiler, OutputsThatShareATupleAreOneMatching) {
  const Value f = fetch(0), g = fetch(1);
  const auto guarded = [&](std::size_t i, Value v) { return b_.when(b_.at(conditions_, i), v); };
  b_.equation(b_.sum({guarded(0, f), guarded(1, g)}), b_.x(0));
  b_.equation(b_.sum({guarded(2, f), guarded(3, g)}), b_.x(1));
  b_.equation(fetch(2), b_.x(2));
  ASSERT_FALSE(b_.compile(network_));
  ASSERT_EQ(network_.matchings.size(), 2u);
  EXPECT_EQ(network_.matchings[0].sums.size(), 2u);
  EXPECT_EQ(network_.matchings[0].assignments.size(), 4u);
  EXPECT_EQ(network_.matchings[1].sums.size(), 1u);
}

// Of two outputs that share tuples, the one asked for has too many: the other joins. A third that shares none does not.
TEST_F(NetworkCompiler, OutputsThatTakeTheRestOfTheTuplesJoin) {
  const Value f = fetch(0), g = fetch(1);
  const auto guarded = [&](std::size_t i, Value v) { return b_.when(b_.at(conditions_, i), v); };
  b_.equation(b_.sum({guarded(0, f), guarded(1, g)}), b_.x(0));
  b_.equation(fetch(2), b_.x(2));
  b_.equation(b_.sum({guarded(2, f), guarded(3, g)}), b_.x(1));
  ASSERT_FALSE(add_equations(b_.problem, {0}, network_));
  ASSERT_EQ(network_.matchings.size(), 1u);
  EXPECT_EQ(network_.covered, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(network_.exact, (std::vector<bool>{true, false, true}));
}

TEST_F(NetworkCompiler, AnOutputThatNoHoleDecidesHoldsOrIsAConflict) {
  b_.equation(b_.x(1), b_.x(1));
  ASSERT_FALSE(b_.compile(network_));
  EXPECT_TRUE(network_.matchings.empty() && network_.sums.empty());
  b_.equation(b_.x(1), b_.x(2));
  const auto conflict = add_equations(b_.problem, {1}, network_);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->equation, 1u);
}

TEST_F(NetworkCompiler, HolesSayWhereSomethingIsStoredIfMostOfTheirValuesLeadPastIt) {
  b_.equation(stored(0, 3, b_.x(1), b_.x(0)), b_.x(1));
  ASSERT_FALSE(b_.compile(network_));
  EXPECT_TRUE(network_.storing[lanes_.value]);
  EXPECT_FALSE(network_.storing[conditions_.value]);
}

TEST_F(NetworkCompiler, HolesThatFetchStoreNothing) {
  b_.equation(fetch(0), b_.x(1));
  ASSERT_FALSE(b_.compile(network_));
  EXPECT_FALSE(network_.storing[lanes_.value]);
}

TEST_F(NetworkCompiler, ADeadlineThatHasPassedIsAnInterruptAndNoConflict) {
  b_.equation(fetch(0), b_.x(1));
  const auto conflict = add_equations(b_.problem, {0}, network_, Deadline(-1));
  ASSERT_TRUE(conflict);
  EXPECT_TRUE(conflict->interrupted);
}

TEST_F(NetworkCompiler, ARequirementThatAlwaysFailsIsAConflictAndOneThatNeverDoesIsNothing) {
  b_.forbid(Value::integer(0));
  b_.forbid(Value::integer(1));
  EXPECT_FALSE(add_requirement(b_.problem, 0, network_));
  EXPECT_TRUE(network_.sums.empty() && network_.nogoods.empty());
  const auto conflict = add_requirement(b_.problem, 1, network_);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->requirement, 1u);
  EXPECT_EQ(conflict->equation, SumConstraint::npos);
}

TEST_F(NetworkCompiler, ARequirementThatPairsValuesIsNogoodsAndAnyOtherAnMdd) {
  const Value p = b_.index(b_.at(lanes_, 0)), q = b_.index(b_.at(lanes_, 1));
  b_.forbid(b_.equal(p, q));
  b_.forbid(b_.less(p, q));
  ASSERT_FALSE(add_requirement(b_.problem, 0, network_));
  EXPECT_TRUE(network_.sums.empty());
  EXPECT_EQ(network_.nogoods[b_.at(lanes_, 0).value].unequal.size(), 1u);
  ASSERT_FALSE(add_requirement(b_.problem, 1, network_));
  ASSERT_EQ(network_.sums.size(), 1u);
  EXPECT_EQ(network_.sums[0].asked, (std::vector<PointId>{b_.at(lanes_, 0), b_.at(lanes_, 1)}));
  EXPECT_EQ(network_.sums[0].requirement, 1u);
}

// Matchings are exact where all equations are asked for: as many tuples as monomials, and what is offered is what it
// says.
TEST(NetworkCompilerOfRandomProblems, MatchingsAreSquareAndConflictsAreNoSolutions) {
  std::size_t matchings = 0, sums = 0, conflicts = 0;
  for (const Ring ring : {Ring::kSum, Ring::kXor, Ring::kMin})
    for (std::uint32_t seed = 1000; seed < 1100; ++seed) {
      RandomProblem random(seed, ring);
      ConstraintNetwork network;
      if (random.compile(network)) {
        EXPECT_TRUE(solutions_of(random.problem).empty()) << seed;
        ++conflicts;
        continue;
      }
      for (const Matching& matching : network.matchings) {
        ++matchings;
        EXPECT_EQ(matching.tuples.size(), matching.monomials.size());
        EXPECT_EQ(matching.words, (matching.monomials.size() + 63) / 64);
        for (const Matching::CandidateAssignment& assignment : matching.assignments)
          EXPECT_TRUE(assignment.tuple < matching.tuples.size() && assignment.sum < matching.sums.size() &&
                      assignment.fits < matching.masks.size());
        for (const Matching::Tuple& tuple : matching.tuples)
          for (std::uint32_t f : tuple.factors) EXPECT_LT(matching.factors[f].fetch, network.fetches.size());
      }
      for (const SumConstraint& sum : network.sums) sums += sum.asked.empty() ? 1 : 0;
      for (std::size_t e = 0; e < random.problem.equations.size(); ++e)
        EXPECT_TRUE(network.covered[e] && (!network.exact[e] || !network.matchings.empty()));
    }
  EXPECT_GT(matchings, 50u);
  EXPECT_GT(sums, 20u);
  EXPECT_GT(conflicts, 5u);
}

}  // namespace
}  // namespace swizzle::network_compiler_test
