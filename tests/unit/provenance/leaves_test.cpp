#include "synth/provenance/leaves.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace swizzle::leaves_test {
namespace {

class Leaves : public testing::Test {
 protected:
  Value number(double v) { return Value::real(v); }
  // Of `count` points from the first on, each of which halves.
  Value halved(std::uint32_t first, std::uint32_t count) {
    Value v = number(1);
    for (std::uint32_t p = first + count; p-- > first;)
      v = provenance_.choice(PointId(p), std::array{v, scaled(v, 0.5 / (p + 1))});
    return v;
  }
  Value scaled(Value v, double by) {
    return provenance_.map_leaves(v, [&](Value leaf) { return number(leaf.as_real() * by); });
  }
  Value product(Value a, Value b) { return provenance_.binary(Operator::kMul, Scalar::kF32, a, b); }

  Provenance provenance_;
};

TEST_F(Leaves, AreWhatAFunctionMakesOfBoth) {
  const Value p = provenance_.choice(PointId(0), std::array{number(1), number(2)}),
              q = provenance_.choice(PointId(1), std::array{number(3), number(4)});
  const auto sum = [](Value a, Value b) { return Value::real(a.as_real() + b.as_real()); };
  const auto both = applied_to_leaves(provenance_, p, q, sum);
  ASSERT_TRUE(both);
  std::vector<double> sums;
  for (Value leaf : provenance_.leaves(*both)) sums.push_back(leaf.as_real());
  std::ranges::sort(sums);
  EXPECT_EQ(sums, (std::vector<double>{4, 5, 6}));
  EXPECT_FALSE(applied_to_leaves(provenance_, p, q, sum, 1));
}

// Of a recurrence with constant coefficients, of which holes decide how many are multiplied.
TEST_F(Leaves, OfManyRealConstantsAreData) {
  const Value few = product(halved(0, 2), halved(2, 2));
  EXPECT_TRUE(provenance_.is_index(few));
  const Value a = halved(0, 9), b = halved(9, 9), many = product(a, b);
  EXPECT_FALSE(provenance_.is_index(many));
  PointId blocked;
  const Assignment ones(18, 1), zeros(18, 0);
  for (const Assignment& each : {ones, zeros})
    EXPECT_EQ(
        provenance_.normalize(provenance_.resolve(many, each, blocked)),
        number(provenance_.resolve(a, each, blocked).as_real() * provenance_.resolve(b, each, blocked).as_real()));
}

}  // namespace
}  // namespace swizzle::leaves_test
