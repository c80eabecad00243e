#include "synth/network/matching_builder.h"

#include <gtest/gtest.h>

#include "synth/base/bits.h"
#include "tests/unit/problem_builder.h"

namespace swizzle::matching_builder_test {
namespace {

class MatchingBuilders : public testing::Test {
 protected:
  explicit MatchingBuilders(Ring ring = Ring::kSum) : b_(ring, Scalar::kU32), ring_(ring) {}

  Value of_a(std::size_t i) { return b_.choice(b_.at(hole_, i), {b_.a(0), b_.a(1), b_.a(2)}); }
  Value of_b(std::size_t i) { return b_.choice(b_.at(hole_, i), {b_.b(0), b_.b(1), b_.b(2)}); }
  // All outputs in one group.
  const Matching& build(const std::vector<std::pair<Value, Value>>& outputs) {
    ElementBuilder fetches(b_.problem);
    CandidateMatchingBuilder names(b_.problem.provenance, fetches);
    std::vector<CandidateMatching> candidates;
    for (const auto& [actual, expected] : outputs) {
      auto candidate = names.build({candidates.size(), ring_, Scalar::kU32, b_.normal(actual), b_.normal(expected)});
      EXPECT_TRUE(candidate);
      candidates.push_back(std::move(*candidate));
    }
    const std::vector<MatchingComponent> groups = grouped(candidates, names);
    EXPECT_EQ(groups.size(), 1u);
    MatchingBuilder builder(b_.problem.provenance, names, fetches, network_);
    builder.note_useful(candidates, groups[0]);
    builder.add(candidates, groups[0]);
    return network_.matchings.back();
  }
  // The monomials of a mask, as their factors.
  std::vector<Factors> in(const Matching& matching, const Mask& mask) const {
    std::vector<Factors> found;
    for (std::size_t m = 0; m < matching.monomials.size(); ++m)
      if ((mask[m / 64] >> (m % 64) & 1) != 0) found.push_back(matching.monomials[m]);
    return found;
  }
  static Factors factors(std::vector<Value> values) {
    Factors nodes;
    for (const Value& v : values) nodes.push_back(v.as_node());
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  ProblemBuilder b_;
  Ring ring_;
  const HoleId hole_ = b_.part(3, 4), conditions_ = b_.condition(4);
  ConstraintNetwork network_;
};

TEST_F(MatchingBuilders, HaveEachMonomialOnceAndTellWhoNeedsIt) {
  const Value f = of_a(0), g = of_a(1);
  const auto guarded = [&](std::size_t i, Value v) { return b_.when(b_.at(conditions_, i), v); };
  const Matching& matching = build({{b_.sum({guarded(0, f), guarded(1, g)}), b_.a(0)},
                                    {b_.sum({guarded(2, f), guarded(3, g)}), b_.sum({b_.a(0), b_.a(1)})}});
  ASSERT_EQ(matching.monomials.size(), 2u);
  EXPECT_EQ(matching.names, (std::vector<Value>{b_.a(0), b_.a(1)}));
  ASSERT_EQ(matching.sums.size(), 2u);
  EXPECT_EQ(in(matching, matching.sums[0].needs), (std::vector<Factors>{factors({b_.a(0)})}));
  EXPECT_EQ(size(matching.sums[1].needs.data(), matching.words), 2);
  EXPECT_EQ(matching.assignments.size(), 4u);
  EXPECT_EQ(matching.tuples.size(), 2u);
}

// Whatever no monomial has is of no use to a fetch, and not listed.
TEST_F(MatchingBuilders, FetchesListWhatIsOfUse) {
  build({{b_.sum({of_a(0), of_a(1)}), b_.sum({b_.a(0), b_.a(1)})}});
  ASSERT_EQ(network_.fetches.size(), 2u);
  for (const ElementConstraint& fetch : network_.fetches)
    EXPECT_EQ(fetch.shape->leaves, (std::vector<NodeId>{b_.a(0).as_node(), b_.a(1).as_node()}));
  EXPECT_EQ(network_.fetches[0].shape, network_.fetches[1].shape);
}

TEST_F(MatchingBuilders, ATupleIsAMonomialThatHasItsFixedFactors) {
  const Matching& matching = build({{b_.sum({b_.product(of_a(0), b_.b(0)), b_.product(of_a(1), b_.b(1))}),
                                     b_.sum({b_.product(b_.a(0), b_.b(0)), b_.product(b_.a(1), b_.b(1))})}});
  ASSERT_EQ(matching.tuples.size(), 2u);
  for (const Matching::Tuple& tuple : matching.tuples) {
    ASSERT_EQ(tuple.fixed.size(), 1u);
    const bool is_first = tuple.fixed[0] == b_.b(0).as_node();
    EXPECT_EQ(in(matching, matching.masks[tuple.fits]),
              (std::vector<Factors>{
                  factors(is_first ? std::vector<Value>{b_.a(0), b_.b(0)} : std::vector<Value>{b_.a(1), b_.b(1)})}));
  }
}

// A leaf serves the monomials that have it, if the tuple has their number of factors.
TEST_F(MatchingBuilders, ALeafServesTheMonomialsThatHaveIt) {
  const Value f = of_a(0), g = of_b(1);
  const Matching& matching = build({{b_.product(f, g), b_.product(b_.a(0), b_.b(1))},
                                    {b_.sum({b_.when(b_.at(conditions_, 0), b_.product(f, g)), b_.product(f, of_b(2))}),
                                     b_.product(b_.a(0), b_.b(2))}});
  for (const Matching::Factor& factor : matching.factors) {
    const std::vector<NodeId>& leaves = network_.fetches[factor.fetch].shape->leaves;
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      const Mask serves(factor.serves->begin() + static_cast<std::ptrdiff_t>(l * matching.words),
                        factor.serves->begin() + static_cast<std::ptrdiff_t>((l + 1) * matching.words));
      for (std::size_t m = 0; m < matching.monomials.size(); ++m) {
        const Factors& has = matching.monomials[m];
        EXPECT_EQ((serves[0] >> m & 1) != 0, std::find(has.begin(), has.end(), leaves[l]) != has.end());
      }
    }
  }
}

TEST_F(MatchingBuilders, OffersFitWhatIsNeededWithTheirCoefficient) {
  const Value f = of_a(0), g = of_a(1);
  const Matching& matching = build(
      {{b_.sum({f, b_.product(Value::integer(2), g)}), b_.sum({b_.a(0), b_.product(Value::integer(2), b_.a(1))})}});
  ASSERT_EQ(matching.assignments.size(), 2u);
  std::vector<std::vector<Factors>> fits;
  for (const Matching::CandidateAssignment& assignment : matching.assignments)
    fits.push_back(in(matching, matching.masks[assignment.fits]));
  std::sort(fits.begin(), fits.end());
  EXPECT_EQ(fits, (std::vector<std::vector<Factors>>{{factors({b_.a(0)})}, {factors({b_.a(1)})}}));
}

// x & x = x, so an open factor may repeat another; a product of a sum has as many as the monomial.
class MatchingBuildersOfXor : public MatchingBuilders {
 protected:
  MatchingBuildersOfXor() : MatchingBuilders(Ring::kXor) {}
};

TEST_F(MatchingBuildersOfXor, OpenFactorsMayRepeatFixedOnes) {
  const Matching& matching = build({{b_.product(of_a(0), b_.b(0)), b_.b(0)}});
  EXPECT_TRUE(matching.idempotent);
  EXPECT_EQ(in(matching, matching.masks[matching.tuples[0].fits]), (std::vector<Factors>{factors({b_.b(0)})}));
}

TEST_F(MatchingBuilders, OpenFactorsMayNotRepeatFixedOnesInASum) {
  const Matching& matching = build({{b_.product(of_a(0), b_.b(0)), b_.b(0)}});
  EXPECT_FALSE(matching.idempotent);
  EXPECT_TRUE(in(matching, matching.masks[matching.tuples[0].fits]).empty());
}

}  // namespace
}  // namespace swizzle::matching_builder_test
