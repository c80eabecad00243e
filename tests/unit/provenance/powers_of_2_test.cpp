#include <gtest/gtest.h>

#include "synth/provenance/provenance.h"

namespace swizzle::powers_of_2_test {
namespace {

TEST(PowersOf2, DivideAsTheirReciprocalsMultiply) {
  Provenance provenance;
  const Scalar s = Scalar::kF32;
  const auto input = [&](std::int64_t i) { return provenance.input(BufferId(std::size_t{0}), i, s); };
  const auto over = [&](Value v, double by) { return provenance.binary(Operator::kDiv, s, v, Value::real(by)); };
  const auto times = [&](Value v, double by) { return provenance.binary(Operator::kMul, s, v, Value::real(by)); };
  const auto sum = [&](Value a, Value b) { return provenance.combine(Ring::kSum, s, a, b); };
  const Value a = input(0), b = input(1);
  EXPECT_EQ(provenance.normalize(over(sum(a, b), 4)), provenance.normalize(sum(times(a, 0.25), over(b, 4))));
  EXPECT_EQ(over(a, -0.5), times(a, -2));
  EXPECT_EQ(over(a, 1), a);
  for (const double by : {3.0, 0.0, 0.75, 0x1p-1074})
    EXPECT_EQ(provenance.node(over(a, by)).kind, Node::Kind::kOpaque) << by;
}

TEST(PowersOf2, DivideUnsignedWordsAsShiftsAndMasksDo) {
  Provenance provenance;
  for (const Scalar s : {Scalar::kU32, Scalar::kU64, Scalar::kI32}) {
    const Value a = provenance.input(BufferId(std::size_t{0}), 0, s);
    const auto with = [&](Operator op, std::int64_t by) { return provenance.binary(op, s, a, Value::integer(by)); };
    const bool are_alike = s != Scalar::kI32;
    EXPECT_EQ(with(Operator::kDiv, 8) == with(Operator::kShr, 3), are_alike);
    EXPECT_EQ(with(Operator::kRem, 8) == with(Operator::kAnd, 7), are_alike);
    EXPECT_FALSE(with(Operator::kDiv, 12) == with(Operator::kShr, 3));
    EXPECT_FALSE(with(Operator::kRem, 12) == with(Operator::kAnd, 11));
  }
}

}  // namespace
}  // namespace swizzle::powers_of_2_test
