// From one output to what it needs and what it is offered. With kernels: drafts_of_sketches_test.cpp.
#include "synth/network/candidate_matchings.h"

#include <map>

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::candidate_matchings_test {
namespace {

class Drafting {
 public:
  explicit Drafting(Ring ring, Scalar scalar = Scalar::kI32) : b(ring, scalar), ring_(ring), scalar_(scalar) {}

  Value fetch(std::size_t i) { return b.choice(b.at(lanes, i), {b.x(0), b.x(1), b.x(2), b.x(3)}); }
  std::optional<CandidateMatching> candidate(Value actual, Value expected) {
    start();
    return builder_->build({0, ring_, scalar_, b.normal(actual), b.normal(expected)});
  }
  const CandidateMatchingBuilder& builder() const { return *builder_; }
  PointId c(std::size_t i) const { return b.at(conditions, i); }

  ProblemBuilder b;
  const HoleId lanes = b.transform(4), conditions = b.condition(4);

 private:
  void start() {
    if (builder_) return;
    fetches_.emplace(b.problem);
    builder_.emplace(b.problem.provenance, *fetches_);
  }
  Ring ring_;
  Scalar scalar_;
  std::optional<ElementBuilder> fetches_;
  std::optional<CandidateMatchingBuilder> builder_;
};

class CandidateMatchingsOfSums : public testing::Test, protected Drafting {
 protected:
  CandidateMatchingsOfSums() : Drafting(Ring::kSum) {}
};

TEST_F(CandidateMatchingsOfSums, NeedMonomialsAndAreOfferedTuples) {
  const auto made =
      candidate(b.sum({fetch(0), b.product(fetch(1), b.a(0))}), b.sum({b.x(1), b.product(b.a(0), b.x(2))}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->needs.size(), 2u);
  ASSERT_EQ(made->assignments.size(), 2u);
  std::size_t with_fixed = 0;
  for (const CandidateMatching::CandidateAssignment& assignment : made->assignments) {
    EXPECT_TRUE(assignment.guard.empty());
    EXPECT_EQ(builder().tuple(assignment.tuple).open.size(), 1u);
    with_fixed += builder().tuple(assignment.tuple).fixed.size();
  }
  EXPECT_EQ(with_fixed, 1u);
  EXPECT_FALSE(made->repeated);
}

TEST_F(CandidateMatchingsOfSums, NumberEqualTuplesAndMonomialsOnce) {
  const auto one = candidate(fetch(0), b.x(1)), other = candidate(b.sum({fetch(0), fetch(1)}), b.sum({b.x(1), b.x(2)}));
  ASSERT_TRUE(one && other);
  EXPECT_EQ(builder().tuples(), 2u);
  EXPECT_EQ(builder().monomials(), 2u);
}

TEST_F(CandidateMatchingsOfSums, WhatIsThereAnywayIsNoLongerNeeded) {
  const auto made = candidate(b.sum({b.x(0), fetch(0)}), b.sum({b.x(0), b.x(1)}));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->needs.size(), 1u);
  EXPECT_EQ(builder().monomial(made->needs[0].monomial), (Factors{b.x(1).as_node()}));
  EXPECT_TRUE(made->served.empty());
}

TEST_F(CandidateMatchingsOfSums, WhatIsThereAndNotExpectedIsToBeTakenAway) {
  const auto made = candidate(b.sum({b.x(0), fetch(0)}), b.x(1));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->needs.size(), 2u);
  for (const CandidateMatching::Need& need : made->needs)
    EXPECT_EQ(wrap(Scalar::kI32, need.coefficient.bits),
              builder().monomial(need.monomial)[0] == b.x(0).as_node() ? -1 : 1);
}

TEST_F(CandidateMatchingsOfSums, AFactorThatIsZeroButAtOneValueIsAGuard) {
  const auto made = candidate(b.when(c(0), b.choice(c(1), {fetch(0), Value::integer(0)})), b.x(1));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->assignments.size(), 1u);
  EXPECT_EQ(made->assignments[0].guard, (Guard{{c(0), 1}, {c(1), 0}}));
}

TEST_F(CandidateMatchingsOfSums, GuardsThatExcludeEachOtherOfferNothing) {
  const auto made = candidate(b.sum({fetch(1), b.when(c(0), b.choice(c(0), {fetch(0), Value::integer(0)}))}), b.x(1));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->assignments.size(), 1u);
}

TEST_F(CandidateMatchingsOfSums, OneOrTheOtherAreAlternatives) {
  const Value f = fetch(0);
  const auto made = candidate(b.choice(c(0), {b.product(Value::integer(-1), f), f}), b.x(1));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->assignments.size(), 2u);
  EXPECT_EQ(made->assignments[0].tuple, made->assignments[1].tuple);
  for (const CandidateMatching::CandidateAssignment& assignment : made->assignments)
    EXPECT_TRUE(assignment.alternative);
  EXPECT_FALSE(made->repeated);
}

TEST_F(CandidateMatchingsOfSums, OneAndTheOtherAreAddedOnceOrTwice) {
  const auto made = candidate(b.sum({b.when(c(0), fetch(0)), b.when(c(1), fetch(0))}), b.x(1));
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->repeated);
  std::map<Guard, std::int64_t> coefficients;
  for (const CandidateMatching::CandidateAssignment& assignment : made->assignments) {
    EXPECT_TRUE(assignment.alternative);
    coefficients[assignment.guard] = assignment.coefficient.bits;
  }
  EXPECT_EQ(coefficients, (std::map<Guard, std::int64_t>{
                              {{{c(0), 0}, {c(1), 1}}, 1}, {{{c(0), 1}, {c(1), 0}}, 1}, {{{c(0), 1}, {c(1), 1}}, 2}}));
}

TEST_F(CandidateMatchingsOfSums, WhatPointsOfManyValuesOfferIsARepetition) {
  const Value none = Value::integer(0), f = fetch(0);
  const auto made = candidate(b.sum({b.when(c(0), f), b.choice(b.at(lanes, 1), {none, none, none, f})}), b.x(1));
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->repeated);
  for (const CandidateMatching::CandidateAssignment& assignment : made->assignments)
    EXPECT_FALSE(assignment.alternative);
}

TEST_F(CandidateMatchingsOfSums, AreNoneOfSquaresAndConstants) {
  EXPECT_FALSE(candidate(fetch(0), b.product(b.x(1), b.x(1))));
  EXPECT_FALSE(candidate(fetch(0), Value::integer(3)));
  EXPECT_FALSE(candidate(b.product(fetch(0), b.choice(c(0), {Value::integer(1), Value::integer(2)})), b.x(1)));
}

TEST(CandidateMatchingsOfMinima, WhatIsThereAnywayIsServedIfItIsExpected) {
  Drafting of(Ring::kMin);
  const auto made = of.candidate(of.b.sum({of.b.x(0), of.fetch(0)}), of.b.sum({of.b.x(0), of.b.x(1)}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->needs.size(), 1u);
  EXPECT_EQ(made->served.size(), 1u);
  EXPECT_FALSE(of.candidate(of.b.sum({of.b.x(0), of.fetch(0)}), of.b.x(1))) << "nothing can take x[0] out of a minimum";
}

// Alone it brings nothing that is needed; times x[1] it may be x[1].
TEST_F(CandidateMatchingsOfSums, AreOfferedWhatMayBeAConstantIfItIsNoProduct) {
  const Value padded = b.choice(c(0), {b.x(0), Value::integer(1)});
  const auto made = candidate(padded, b.x(0));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->assignments.size(), 1u);
  EXPECT_FALSE(candidate(b.product(padded, b.x(1)), b.x(1)));
}

// 0 is no neutral element of a minimum: that it is left out is not what the choice says.
TEST(CandidateMatchingsOfMinima, ZeroIsNoGuard) {
  Drafting of(Ring::kMin);
  const auto made = of.candidate(of.b.when(of.c(0), of.fetch(0)), of.b.x(1));
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->assignments.at(0).guard.empty());
}

class Groups : public testing::Test, protected Drafting {
 protected:
  Groups() : Drafting(Ring::kXor, Scalar::kU32) {}
  void add(Value actual, Value expected) {
    auto made = candidate(actual, expected);
    ASSERT_TRUE(made);
    candidates_.push_back(std::move(*made));
  }
  std::vector<MatchingComponent> groups() { return grouped(candidates_, builder()); }

  std::vector<CandidateMatching> candidates_;
};

TEST_F(Groups, ShareTuplesDirectlyOrThroughOthers) {
  add(fetch(0), b.x(0));
  add(b.sum({b.when(c(0), fetch(0)), b.when(c(1), fetch(1))}), b.x(1));
  add(fetch(1), b.x(2));
  add(fetch(2), b.x(0));
  const std::vector<MatchingComponent> found = groups();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].candidates.size() + found[1].candidates.size(), 4u);
  const MatchingComponent& large = found[found[0].candidates.size() == 3 ? 0 : 1];
  EXPECT_EQ(large.candidates.size(), 3u);
  EXPECT_EQ(large.tuples.size(), 2u);
  EXPECT_EQ(large.monomials, 3u);
  EXPECT_FALSE(large.is_exact());
}

TEST_F(Groups, AreExactWithAsManyTuplesAsMonomials) {
  add(b.sum({b.when(c(0), fetch(0)), b.when(c(1), fetch(1))}), b.x(0));
  EXPECT_FALSE(groups()[0].is_exact());
  add(b.sum({b.when(c(2), fetch(0)), b.when(c(3), fetch(1))}), b.x(1));
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_TRUE(groups()[0].is_exact());
}

TEST_F(Groups, AreNotExactWithARepetitionOrInTwoRings) {
  const Value none = Value::integer(0), of_four = b.choice(b.at(lanes, 2), {none, none, none, fetch(0)});
  add(b.sum({b.when(c(0), fetch(0)), of_four, fetch(1)}), b.sum({b.x(0), b.x(1)}));
  ASSERT_EQ(groups()[0].tuples.size(), groups()[0].monomials);
  EXPECT_TRUE(groups()[0].repeated);
  EXPECT_FALSE(groups()[0].is_exact());
  candidates_[0].repeated = false;
  EXPECT_TRUE(groups()[0].is_exact());
  candidates_.push_back(candidates_[0]);
  candidates_[1].equation.ring = Ring::kSum;
  EXPECT_FALSE(groups()[0].same_ring);
  EXPECT_FALSE(groups()[0].is_exact());
}

}  // namespace
}  // namespace swizzle::candidate_matchings_test
