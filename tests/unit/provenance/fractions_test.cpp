#include "synth/provenance/fractions.h"

#include <gtest/gtest.h>

namespace swizzle {
namespace {

class FractionsOfReals : public testing::Test {
 protected:
  Value divided(Value a, Value b) { return p.binary(Operator::kDiv, Scalar::kF32, a, b); }
  Value product(Value a, Value b) { return p.binary(Operator::kMul, Scalar::kF32, a, b); }
  Value sum(Value a, Value b) { return p.binary(Operator::kAdd, Scalar::kF32, a, b); }
  Value function(Intrinsic kind, std::vector<Value> of) {
    return p.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(kind), Scalar::kF32, std::move(of));
  }
  bool are_alike(Value a, Value b) { return Fractions(p).are_alike(a, b); }

  Provenance p;
  const Value a = p.input(BufferId(0), 0, Scalar::kF32), b = p.input(BufferId(0), 1, Scalar::kF32),
              c = p.input(BufferId(0), 2, Scalar::kF32), one = Value::real(1), three = Value::real(3);
};

TEST_F(FractionsOfReals, AreProductsWithReciprocals) {
  EXPECT_TRUE(are_alike(divided(a, b), product(a, divided(one, b))));
  EXPECT_TRUE(are_alike(divided(sum(a, b), c), sum(divided(a, c), divided(b, c))));
  EXPECT_TRUE(are_alike(divided(divided(a, b), c), divided(a, product(c, b))));
  EXPECT_TRUE(are_alike(divided(product(a, a), three), product(a, divided(a, three))));
  EXPECT_TRUE(are_alike(divided(a, product(Value::real(-2), b)), product(Value::real(-0.5), divided(a, b))));
  EXPECT_TRUE(
      are_alike(function(Intrinsic::kExp, {divided(a, b)}), function(Intrinsic::kExp, {product(divided(one, b), a)})));
}

TEST_F(FractionsOfReals, ThatDifferAreNotAlike) {
  EXPECT_FALSE(are_alike(divided(a, b), divided(b, a)));
  EXPECT_FALSE(are_alike(divided(sum(a, b), c), divided(a, c)));
  EXPECT_FALSE(are_alike(divided(a, product(three, b)), divided(a, b)));
  EXPECT_FALSE(are_alike(divided(a, three), product(a, Value::real(static_cast<double>(1.0f / 3)))));
}

TEST_F(FractionsOfReals, RootsAndPowersAreQuotientsAndProducts) {
  EXPECT_TRUE(are_alike(function(Intrinsic::kRsqrt, {a}), divided(one, function(Intrinsic::kSqrt, {a}))));
  EXPECT_TRUE(are_alike(function(Intrinsic::kPow, {sum(a, b), Value::real(2)}), product(sum(b, a), sum(a, b))));
  EXPECT_FALSE(are_alike(function(Intrinsic::kPow, {a, Value::real(2.5)}), product(a, a)));
  EXPECT_FALSE(are_alike(function(Intrinsic::kRsqrt, {a}), function(Intrinsic::kRsqrt, {b})));
}

// As means are, whose squares would be too long.
TEST_F(FractionsOfReals, OfLongSumsStayWhole) {
  Value many = a;
  for (int i = 3; i < 2000; ++i) many = sum(many, p.input(BufferId(0), i, Scalar::kF32));
  const Value mean = divided(many, three), square = product(mean, mean);
  EXPECT_TRUE(are_alike(divided(square, b), product(divided(mean, b), mean)));
  EXPECT_FALSE(are_alike(divided(square, b), product(divided(mean, c), mean)));
}

}  // namespace
}  // namespace swizzle
