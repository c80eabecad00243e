#include "synth/network/candidate_matchings.h"

#include <gtest/gtest.h>

#include "tests/unit/posed_product.h"

namespace swizzle::candidate_matchings_of_sketches_test {
namespace {

// The groups of a kernel of this body that is to multiply polynomials of degree 3.
std::vector<MatchingComponent> groups_of(const std::string& body) {
  Problem problem;
  pose_product(body,
               "for (int i = 0; i < 8; i++) { c[i] = 0; for (int j = 0; j < 4; j++) if (i - j >= 0 && i - j < 4) "
               "c[i] ^= a[j] & b[i - j]; }",
               problem);
  ElementBuilder fetches(problem);
  CandidateMatchingBuilder builder(problem.provenance, fetches);
  std::vector<CandidateMatching> candidates;
  for (std::size_t e = 0; e < problem.equations.size(); ++e) {
    std::vector<RingEquation> parts;
    EXPECT_FALSE(split_equation(problem, e, parts));
    for (const RingEquation& part : parts)
      if (auto candidate = builder.build(part)) candidates.push_back(std::move(*candidate));
  }
  return grouped(candidates, builder);
}

std::string product(const std::string& uses) {
  return R"(
  unsigned low = 0, high = 0;
  for (int k = 0; k < 4; k++) {
    const unsigned x = __shfl_sync(15, a[t], ?sw_xform(t, 4, k)), y = __shfl_sync(15, b[t], ?sw_xform(t, 4, k));)" +
         uses + R"(
  }
  c[t] = low;
  c[t + 4] = high;)";
}

TEST(CandidateMatchingsOfSketches, OfOutputsThatShareTuplesAreOneGroup) {
  const std::vector<MatchingComponent> groups =
      groups_of(product("if (?sw_cond(t, k)) low ^= x & y; if (?sw_cond(t, k)) high ^= x & y;"));
  ASSERT_EQ(groups.size(), 4u);  // one a lane
  for (const MatchingComponent& group : groups) {
    EXPECT_EQ(group.candidates.size(), 2u);
    EXPECT_EQ(group.tuples.size(), 4u);
    EXPECT_EQ(group.monomials, 4u);
    EXPECT_TRUE(group.is_exact());
  }
}

// One of the two conditions holds, or neither: both together take the product away again.
TEST(CandidateMatchingsOfSketches, ThatAreOfferedATupleTwiceAreExact) {
  for (
      const MatchingComponent& group : groups_of(product(
          "if (?sw_cond(t, k)) low ^= x & y; if (?sw_cond(t, k)) high ^= x & y; if (?sw_cond(t, k)) high ^= x & y;"))) {
    EXPECT_FALSE(group.repeated);
    EXPECT_TRUE(group.is_exact());
  }
}

TEST(CandidateMatchingsOfSketches, MayBeOfferedATupleTwiceUnderGuardsThatExcludeEachOther) {
  const std::vector<MatchingComponent> groups = groups_of(
      product("if (?sw_cond(t, k)) low ^= x & y; else low ^= x & y & 255; if (?sw_cond(t, k)) high ^= x & y;"));
  ASSERT_EQ(groups.size(), 4u);
  for (const MatchingComponent& group : groups) {
    EXPECT_FALSE(group.repeated);
    EXPECT_TRUE(group.is_exact());
  }
}

}  // namespace
}  // namespace swizzle::candidate_matchings_of_sketches_test
