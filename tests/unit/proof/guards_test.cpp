#include "synth/proof/guards.h"

#include <gtest/gtest.h>

namespace swizzle::guards_test {
namespace {

// One atom, the rest u of 0 … 63, and another without a bound.
struct OfARaggedBlock : testing::Test {
  SizeRegion region;
  Polynomial u = Polynomial::atom(region.fresh(63)), s = Polynomial::atom(region.fresh());
  Provenance provenance;
  Guards guards{provenance};

  Value at_least(std::int64_t k) { return guards.at_least_0(u - Polynomial(k)); }
};

TEST_F(OfARaggedBlock, HaveOneFormForEachCondition) {
  const Value p = at_least(4);
  EXPECT_EQ(guards.at_least_0(Polynomial(2) * u - Polynomial(7)), p);  // 2u >= 7
  EXPECT_EQ(guards.negated(guards.at_least_0(Polynomial(3) - u)), p);  // not u <= 3
  EXPECT_EQ(guards.at_least_0(Polynomial(12) - Polynomial(4) * u), guards.negated(p));
  EXPECT_NE(at_least(5), p);
  EXPECT_EQ(guards.at_least_0(Polynomial(3)), kEverywhere);
  EXPECT_EQ(guards.at_least_0(Polynomial(-3)), kNowhere);
}

TEST_F(OfARaggedBlock, AreComposed) {
  const Value p = at_least(4), q = at_least(9);
  EXPECT_EQ(guards.both(p, guards.negated(p)), kNowhere);
  EXPECT_EQ(guards.either(p, guards.negated(p)), kEverywhere);
  EXPECT_EQ(guards.either(guards.both(p, q), guards.both(p, guards.negated(q))), p);
}

TEST_F(OfARaggedBlock, ImplyWhatPolynomialsSay) {
  const Value p = at_least(4), q = at_least(9);
  EXPECT_TRUE(guards.implies(q, p, region));
  EXPECT_FALSE(guards.implies(p, q, region));
  EXPECT_FALSE(guards.is_possible(guards.both(q, guards.negated(p)), region));
  EXPECT_TRUE(guards.is_possible(guards.both(p, guards.negated(q)), region));
  EXPECT_TRUE(guards.implies(q, guards.either(p, at_least(20)), region));
  EXPECT_TRUE(guards.implies(kNowhere, p, region));
  EXPECT_FALSE(guards.implies(kEverywhere, p, region));
}

TEST_F(OfARaggedBlock, GiveFactsThatBoundsFollowFrom) {
  const Polynomial n = Polynomial(64) * s + u;
  region.sizes["n"] = n;
  const auto facts = guards.facts(at_least(9), region);
  EXPECT_TRUE(guards.follows(u - Polynomial(9), facts, region));
  EXPECT_FALSE(guards.follows(u - Polynomial(10), facts, region));
  EXPECT_TRUE(guards.follows(Polynomial(5) * u - Polynomial(45), facts, region));
  EXPECT_TRUE(guards.follows(n * u - Polynomial(9) * n, facts, region));
  EXPECT_FALSE(guards.follows(n * u - Polynomial(9) * n - Polynomial(1), facts, region));
  EXPECT_TRUE(guards.follows(Polynomial(8) - u, guards.facts(guards.negated(at_least(9)), region), region));
  EXPECT_TRUE(guards.facts(guards.either(at_least(9), guards.at_least_0(s - Polynomial(2))), region).empty());
}

TEST_F(OfARaggedBlock, DecideValuesInEachCase) {
  const Value x = provenance.input(BufferId(0), 0, Scalar::kI32), z = provenance.input(BufferId(0), 1, Scalar::kI32);
  const Value p = at_least(4), q = at_least(9), v = provenance.select(q, x, provenance.select(p, z, {}));
  const auto equal = [](Value a, Value b) { return !a.is_undefined() && a == b; };
  EXPECT_TRUE(guards.everywhere(q, v, x, region, equal));
  EXPECT_TRUE(guards.everywhere(guards.both(p, guards.negated(q)), v, z, region, equal));
  EXPECT_FALSE(guards.everywhere(p, v, x, region, equal));
  EXPECT_FALSE(guards.everywhere(kEverywhere, v, provenance.select(q, x, z), region, equal));  // undefined below 4
  EXPECT_EQ(guards.within(v, q), x);
  EXPECT_EQ(guards.within(v, p), v);
}

}  // namespace
}  // namespace swizzle::guards_test
