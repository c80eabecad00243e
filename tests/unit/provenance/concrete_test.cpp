#include "synth/provenance/concrete.h"

#include <gtest/gtest.h>

#include "synth/program/intrinsics.h"

namespace swizzle::concrete_test {
namespace {

class ConcreteTest : public testing::Test {
 protected:
  Value input(std::int64_t i, Scalar s = Scalar::kU32) { return provenance_.input(BufferId(std::size_t{0}), i, s); }
  Value binary(Operator op, Value a, Value b, Scalar s = Scalar::kU32) {
    return provenance_.normalize(provenance_.binary(op, s, a, b));
  }
  Value called(Intrinsic f, std::vector<Value> operands, Scalar s = Scalar::kU32) {
    return provenance_.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(f), s, std::move(operands));
  }
  bool differ(Value a, Value b, Scalar s = Scalar::kU32) { return Concrete(provenance_).differ(s, a, b); }

  Provenance provenance_;
};

TEST_F(ConcreteTest, WhatIsTheSameDoesNotDiffer) {
  const Value x = input(0), z = input(1);
  EXPECT_FALSE(differ(binary(Operator::kOr, x, binary(Operator::kAnd, x, z)), x));
  const Value turned = binary(Operator::kOr, binary(Operator::kShl, x, Value::integer(16)),
                              binary(Operator::kShr, x, Value::integer(16)));
  EXPECT_FALSE(differ(called(Intrinsic::kBytePerm, {x, Value::integer(0), Value::integer(0x1032)}), turned));
  EXPECT_FALSE(differ(binary(Operator::kAdd, binary(Operator::kAnd, x, z), binary(Operator::kOr, x, z)),
                      binary(Operator::kAdd, x, z)));
}

TEST_F(ConcreteTest, AnInputTellsApartWhatDiffers) {
  const Value x = input(0), z = input(1);
  EXPECT_TRUE(differ(binary(Operator::kOr, x, z), binary(Operator::kXor, x, z)));
  EXPECT_TRUE(differ(binary(Operator::kShr, x, Value::integer(3)), binary(Operator::kShr, x, Value::integer(4))));
  EXPECT_TRUE(differ(called(Intrinsic::kBytePerm, {x, z, Value::integer(0x3210)}), z));
  const Value a = input(0, Scalar::kF32), b = input(1, Scalar::kF32);
  EXPECT_TRUE(
      differ(binary(Operator::kDiv, a, b, Scalar::kF32), binary(Operator::kDiv, b, a, Scalar::kF32), Scalar::kF32));
}

// What a function makes of constants alone is as large as an integer may be, and hides nothing beside it.
TEST_F(ConcreteTest, AFunctionOfConstantsInARealSumTellsNothingApart) {
  const Value a = called(Intrinsic::kExp, {input(0, Scalar::kF32)}, Scalar::kF32);
  const Value constant = provenance_.convert(
      called(Intrinsic::kMulhi, {Value::integer(0), Value::integer(12)}, Scalar::kI32), Scalar::kI32, Scalar::kF32);
  EXPECT_FALSE(differ(binary(Operator::kAdd, a, constant, Scalar::kF32), a, Scalar::kF32));
}

TEST_F(ConcreteTest, OnlyWhatMattersIsNeeded) {
  const Value x = input(0), z = input(1);
  EXPECT_EQ(Concrete(provenance_).needed(Scalar::kU32, binary(Operator::kOr, x, binary(Operator::kAnd, x, z))),
            (std::vector{x.as_node()}));
  EXPECT_EQ(Concrete(provenance_).needed(Scalar::kU32, binary(Operator::kOr, x, z)),
            (std::vector{x.as_node(), z.as_node()}));
}

TEST_F(ConcreteTest, AFunctionWithoutValuesTellsWhatReachesIt) {
  const auto root = [&](Value v) { return called(Intrinsic::kUmulhi, {v, v}); };
  EXPECT_TRUE(differ(root(input(0)), root(input(1))));
  EXPECT_FALSE(differ(root(input(0)), binary(Operator::kAdd, root(input(0)), Value::integer(1))));
}

}  // namespace
}  // namespace swizzle::concrete_test
