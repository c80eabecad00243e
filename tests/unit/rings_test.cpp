#include <gtest/gtest.h>

#include "synth/provenance.h"

namespace swizzle {
namespace {

// A sum that a hole decides to extend, at point 0 of two values.
class Select : public testing::TestWithParam<Ring> {
 protected:
  Value input(std::int64_t i) { return provenance_.input(BufferId(std::size_t{0}), i, Scalar::kI32); }
  Value add(Value a, Value b) { return provenance_.combine(GetParam(), Scalar::kI32, a, b); }
  Value resolved(Value v, int value) {
    PointId blocked;
    return provenance_.normalize(provenance_.resolve(v, {value}, blocked));
  }
  Provenance provenance_;
};

TEST_P(Select, BetweenASumAndItsExtensionKeepsTheSumOutsideOfTheChoice) {
  const Value condition = provenance_.choice(PointId(std::size_t{0}), {Value::integer(0), Value::integer(1)});
  const Value sum = add(add(input(0), input(1)), input(2));
  const Value extended = add(sum, input(3));
  for (const bool negated : {false, true}) {
    const Value chosen = negated ? provenance_.select(condition, sum, extended) : provenance_.select(condition, extended, sum);
    EXPECT_EQ(provenance_.terms(GetParam(), Scalar::kI32, chosen).size(), 4u);
    EXPECT_EQ(resolved(chosen, negated ? 1 : 0), provenance_.normalize(sum));
    EXPECT_EQ(resolved(chosen, negated ? 0 : 1), provenance_.normalize(extended));
  }
}

INSTANTIATE_TEST_SUITE_P(OfEachRing, Select, testing::Values(Ring::kSum, Ring::kXor, Ring::kOr, Ring::kMin, Ring::kMax));

}  // namespace
}  // namespace swizzle
