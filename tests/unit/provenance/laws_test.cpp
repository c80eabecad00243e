#include "synth/provenance/laws.h"

#include <array>

#include <gtest/gtest.h>

#include "synth/program/intrinsics.h"

namespace swizzle::laws_test {
namespace {

class LawsTest : public testing::Test {
 protected:
  Value input(std::int64_t i, Scalar s = Scalar::kI32) { return provenance_.input(BufferId(std::size_t{0}), i, s); }
  Value binary(Operator op, Value a, Value b, Scalar s = Scalar::kI32) {
    return provenance_.normalize(provenance_.binary(op, s, a, b));
  }
  Value choice(Value a, Value b) { return provenance_.choice(PointId(std::size_t{0}), {a, b}); }
  bool are_settled(Value a, Value b) { return lawless(provenance_, std::array{a, b}).empty(); }

  Provenance provenance_;
};

TEST_F(LawsTest, OneFamilyOfElementsIsSettledByForm) {
  for (Operator op : {Operator::kAdd, Operator::kXor, Operator::kOr})
    EXPECT_TRUE(are_settled(binary(op, input(0), choice(input(1), input(2))), binary(op, input(0), input(2))));
  EXPECT_TRUE(are_settled(binary(Operator::kXor, binary(Operator::kAnd, input(0), input(1)), input(2)),
                          binary(Operator::kXor, input(0), input(2))));
  EXPECT_TRUE(are_settled(provenance_.combine(Ring::kMax, Scalar::kI32, input(0), input(1)), input(1)));
  EXPECT_TRUE(are_settled(choice(input(0), input(1)), input(2)));
}

TEST_F(LawsTest, TwoFamiliesAreNot) {
  const Value absorbed = binary(Operator::kOr, input(0), binary(Operator::kAnd, input(0), input(1)));
  EXPECT_FALSE(are_settled(absorbed, input(0)));
  EXPECT_FALSE(are_settled(binary(Operator::kOr, input(0), input(1)), binary(Operator::kXor, input(0), input(1))));
  const Value least = provenance_.combine(Ring::kMin, Scalar::kI32, input(0), input(1));
  const Value clipped = provenance_.combine(Ring::kMax, Scalar::kI32, least, input(2));
  EXPECT_FALSE(are_settled(clipped, input(0)));
  EXPECT_EQ(provenance_.combine(Ring::kMax, Scalar::kI32, input(0), least), input(0));  // see order_forms.h
}

TEST_F(LawsTest, AFunctionIsNamed) {
  const std::uint32_t code = kOpaqueIntrinsic + static_cast<std::uint32_t>(Intrinsic::kBytePerm);
  const Value permuted =
      provenance_.opaque(code, Scalar::kU32, {input(0, Scalar::kU32), Value::integer(0), Value::integer(0x1032)});
  EXPECT_EQ(lawless(provenance_, std::array{permuted, input(0)}), (std::vector{Lawless{false, Ring::kSum, code}}));
}

TEST_F(LawsTest, AnElementComesInOneWay) {
  const Value x = input(0, Scalar::kU8), wide = provenance_.convert(x, Scalar::kU8, Scalar::kU32);
  EXPECT_TRUE(are_settled(binary(Operator::kAdd, wide, input(1), Scalar::kU32), input(1)));
  EXPECT_FALSE(are_settled(provenance_.convert(input(0), Scalar::kI32, Scalar::kBool), input(0)));
}

TEST_F(LawsTest, AMaskMayAskForBitsThatThereAreNot) {
  const Value wide = provenance_.convert(input(0, Scalar::kU8), Scalar::kU8, Scalar::kU32);
  EXPECT_EQ(binary(Operator::kAnd, wide, Value::integer(0xff), Scalar::kU32), wide);
  EXPECT_FALSE(are_settled(binary(Operator::kAnd, wide, Value::integer(0x1fe), Scalar::kU32),
                           binary(Operator::kAnd, wide, Value::integer(0xfe), Scalar::kU32)));
  EXPECT_TRUE(are_settled(binary(Operator::kAnd, input(0), Value::integer(0xff)), input(0)));
}

// max((int)x, 0) is x, where x has no sign.
TEST_F(LawsTest, ABoundMayBeOneThatNoValuePasses) {
  for (const Scalar s : {Scalar::kU8, Scalar::kU16, Scalar::kI8, Scalar::kI16}) {
    const Value x = provenance_.convert(input(s == Scalar::kU8 ? 0 : 9, s), s, Scalar::kI32);
    const Value bounded = provenance_.normalize(provenance_.combine(Ring::kMax, Scalar::kI32, x, Value::integer(0)));
    EXPECT_EQ(are_settled(bounded, x), !is_unsigned(s));
    const Value far = provenance_.normalize(provenance_.combine(Ring::kMax, Scalar::kI32, x, Value::integer(-70000)));
    EXPECT_FALSE(are_settled(far, x));
  }
}

TEST_F(LawsTest, PowersOfWordsMayWrapAround) {
  const Value square = binary(Operator::kMul, input(0), input(0));
  EXPECT_TRUE(are_settled(square, input(0)));
  EXPECT_FALSE(are_settled(binary(Operator::kMul, square, Value::integer(1ll << 31)),
                           binary(Operator::kMul, input(0), Value::integer(1ll << 31))));
}

}  // namespace
}  // namespace swizzle::laws_test
