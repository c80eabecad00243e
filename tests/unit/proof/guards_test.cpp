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

// (P ? a : 0) · (P ? b : 0) + c is (P ? a · b : 0) + c, without a case of its own.
TEST_F(OfARaggedBlock, AreSeenInProductsAsAroundThem) {
  const auto element = [&](std::int64_t i) { return provenance.input(BufferId(0), i, Scalar::kF32); };
  const auto times = [&](Value a, Value b) { return provenance.multiply(Ring::kSum, Scalar::kF32, a, b); };
  const auto plus = [&](Value a, Value b) { return provenance.combine(Ring::kSum, Scalar::kF32, a, b); };
  const Value none = Value::real(0);
  Value factors = element(100), guarded = element(100), others = element(100);
  for (std::int64_t k = 0; k < 20; ++k) {
    const Value p = at_least(k + 1), q = at_least(k + 2), a = element(2 * k), b = element(2 * k + 1);
    const auto where = [&](Value condition, Value v) { return provenance.select(condition, v, none, Scalar::kF32); };
    factors = plus(factors, times(where(p, a), where(p, b)));
    guarded = plus(guarded, where(p, times(a, b)));
    others = plus(others, where(q, times(a, b)));
  }
  int asked = 0;
  const auto equal = [&](Value a, Value b) { return ++asked, provenance.normalize(a) == provenance.normalize(b); };
  EXPECT_TRUE(guards.everywhere(kEverywhere, factors, guarded, region, equal));
  EXPECT_LE(asked, 2);
  EXPECT_FALSE(guards.everywhere(kEverywhere, factors, others, region, equal));
}

}  // namespace
}  // namespace swizzle::guards_test
