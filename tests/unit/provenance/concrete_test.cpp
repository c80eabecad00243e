#include "synth/provenance/concrete.h"

#include <algorithm>

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

// Divisors so small are not divided by here: that x[0] changes the one and is not seen to change the other says
// nothing.
TEST_F(ConcreteTest, WhatIsNotComputedTellsNothing) {
  const Value x = input(0, Scalar::kF32);
  const Value product = binary(Operator::kMul, x, Value::real(0x1p12 / 3), Scalar::kF32),
              quotient = binary(Operator::kDiv, x, Value::real(3 * 0x1p-12), Scalar::kF32);
  EXPECT_FALSE(differ(product, quotient, Scalar::kF32));
  EXPECT_FALSE(differ(quotient, product, Scalar::kF32));
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

// What several values are made of is computed once for all of them; each has its own answer.
TEST_F(ConcreteTest, SeveralValuesThatShareTheirPartsNeedWhatEachDoes) {
  std::vector<Value> parts;
  Value sum = Value::real(0);
  for (std::int64_t i = 0; i < 40; ++i) {
    parts.push_back(called(Intrinsic::kUmulhi, {input(i, Scalar::kF32), Value::real(3)}, Scalar::kF32));
    sum = provenance_.binary(Operator::kAdd, Scalar::kF32, sum, parts.back());
  }
  sum = provenance_.normalize(sum);
  const Value ratio = binary(Operator::kDiv, parts[7], sum, Scalar::kF32);
  const auto needs =
      Concrete(provenance_).needed({{Scalar::kF32, sum}, {Scalar::kF32, ratio}, {Scalar::kF32, parts[5]}});
  EXPECT_EQ(needs[0].size(), 40u);
  EXPECT_TRUE(std::ranges::binary_search(needs[1], input(7, Scalar::kF32).as_node()));
  EXPECT_EQ(needs[2], (std::vector{input(5, Scalar::kF32).as_node()}));
}

// Too little of a large sum is no reason to take it for another one: the element is there, and only hard to see.
TEST_F(ConcreteTest, WhatIsHardToSeeInALargeSumTellsNothingApart) {
  Value sum = Value::real(0);
  for (std::int64_t i = 0; i < 100; ++i)
    sum = provenance_.binary(Operator::kAdd, Scalar::kF32, sum,
                             called(Intrinsic::kUmulhi, {input(i, Scalar::kF32), Value::real(3)}, Scalar::kF32));
  sum = provenance_.normalize(sum);
  for (int scale = 1; scale <= 64; scale *= 2) {
    const auto over = [&](std::int64_t k) {
      const Value square = binary(Operator::kMul, sum, sum, Scalar::kF32);
      return binary(Operator::kDiv, input(k, Scalar::kF32),
                    binary(Operator::kMul, square, Value::real(scale), Scalar::kF32), Scalar::kF32);
    };
    const Value both = binary(Operator::kAdd, over(0), over(1), Scalar::kF32);
    const Value sine = called(Intrinsic::kSin, {both}, Scalar::kF32);
    const auto needs = Concrete(provenance_).needed({{Scalar::kF32, both}, {Scalar::kF32, sine}});
    EXPECT_EQ(needs[0], needs[1]);
    EXPECT_FALSE(differ(both, sine, Scalar::kF32)) << scale;
  }
}

TEST_F(ConcreteTest, FunctionsThatHaveValuesAreEvaluated) {
  const Value a = input(0, Scalar::kF32), b = input(1, Scalar::kF32);
  const auto exp = [&](Value v) { return called(Intrinsic::kExp, {v}, Scalar::kF32); };
  const Value most = provenance_.normalize(provenance_.combine(Ring::kMax, Scalar::kF32, a, b));
  const auto share = [&](Value of_a, Value of_b) {
    return binary(Operator::kDiv, exp(binary(Operator::kSub, a, of_a, Scalar::kF32)),
                  binary(Operator::kAdd, exp(binary(Operator::kSub, a, of_a, Scalar::kF32)),
                         exp(binary(Operator::kSub, b, of_b, Scalar::kF32)), Scalar::kF32),
                  Scalar::kF32);
  };
  EXPECT_FALSE(differ(share(most, most), share(a, a), Scalar::kF32)) << "any number may be subtracted from both";
  EXPECT_TRUE(differ(share(most, most), share(a, b), Scalar::kF32));
}

TEST_F(ConcreteTest, AFunctionWithoutValuesTellsWhatReachesIt) {
  const auto norm = [&](int i) {
    const Value v = input(i, Scalar::kF32);
    return called(Intrinsic::kNorm3d, {v, v, v}, Scalar::kF32);
  };
  EXPECT_TRUE(differ(norm(0), norm(1), Scalar::kF32));
  EXPECT_FALSE(differ(norm(0), binary(Operator::kAdd, norm(0), Value::real(1), Scalar::kF32), Scalar::kF32));
}

// cos² + sin² does not depend on its element, and neither does |x| - |-x|.
TEST_F(ConcreteTest, ElementsThatCancelOutReachNothing) {
  const Value x = input(0, Scalar::kF32), v = input(1, Scalar::kF32);
  const auto of = [&](Intrinsic kind, Value operand) { return called(kind, {operand}, Scalar::kF32); };
  const auto times = [&](Value a, Value b) { return binary(Operator::kMul, a, b, Scalar::kF32); };
  const Value sine = of(Intrinsic::kSin, x), cosine = of(Intrinsic::kCos, x),
              minus = binary(Operator::kSub, Value::real(0), x, Scalar::kF32);
  const Value one = binary(Operator::kAdd, times(sine, sine), times(cosine, cosine), Scalar::kF32);
  const Value none = binary(Operator::kSub, of(Intrinsic::kAbs, x), of(Intrinsic::kAbs, minus), Scalar::kF32);
  EXPECT_FALSE(differ(one, Value::real(1), Scalar::kF32));
  EXPECT_FALSE(differ(none, Value::real(0), Scalar::kF32));
  EXPECT_FALSE(differ(times(v, one), v, Scalar::kF32));
  EXPECT_TRUE(differ(times(v, one), x, Scalar::kF32));
  EXPECT_TRUE(differ(sine, cosine, Scalar::kF32));
  EXPECT_TRUE(differ(called(Intrinsic::kPow, {x, v}, Scalar::kF32), called(Intrinsic::kPow, {v, x}, Scalar::kF32),
                     Scalar::kF32));
}

TEST_F(ConcreteTest, WhereAFunctionJumpsNothingIsSaid) {
  Concrete concrete(provenance_);
  concrete.start(0);
  const auto floor = [&](Value v) { return concrete.real(called(Intrinsic::kFloor, {v}, Scalar::kF32)); };
  EXPECT_EQ(floor(Value::real(2.25)), 2);
  EXPECT_EQ(floor(Value::real(1.999)), std::nullopt);
  EXPECT_EQ(floor(Value::real(-0.25)), -1);
  EXPECT_EQ(concrete.real(called(Intrinsic::kAbs, {Value::real(-3)}, Scalar::kF32)), 3);
}

TEST_F(ConcreteTest, ElementsThatAreChangedAreOtherNumbers) {
  Concrete concrete(provenance_);
  const auto values = [&](std::vector<Value> changed) {
    std::vector<NodeId> nodes;
    for (Value v : changed) nodes.push_back(v.as_node());
    concrete.start(2, nodes);
    return std::pair(concrete.integer(input(0)), concrete.integer(input(1)));
  };
  const auto [zero, one] = values({});
  const auto [other_zero, same_one] = values({input(0)});
  const auto [both_zero, both_one] = values({input(0), input(1)});
  EXPECT_TRUE(zero && zero != other_zero && one == same_one);
  EXPECT_TRUE(both_zero == other_zero && both_one != one);
}

// Which any number hardly ever is.
TEST(ConcreteNumbers, AreAlsoThoseThatConstantsAreComparedWith) {
  for (const Scalar s : {Scalar::kI32, Scalar::kI16, Scalar::kU32, Scalar::kI64, Scalar::kF32}) {
    Provenance p;
    const Value x = p.input(BufferId(std::size_t{0}), 0, s), z = p.input(BufferId(std::size_t{0}), 1, s);
    const auto number = [&](int v) { return is_real(s) ? Value::real(v) : Value::integer(wrap(s, v)); };
    for (const int bound : {77, 12345, -7}) {
      const Value is_it = p.opaque(static_cast<std::uint32_t>(Operator::kEq), s, {x, number(bound)}),
                  is_too = p.opaque(static_cast<std::uint32_t>(Operator::kEq), s, {z, number(bound)}),
                  both = p.opaque(static_cast<std::uint32_t>(Operator::kLogicalAnd), Scalar::kBool, {is_it, is_too}),
                  chosen = p.opaque(kOpaqueSelect, s, {both, number(3), number(4)});
      EXPECT_TRUE(Concrete(p).are_seen_apart(s, chosen, number(4))) << bound;
      EXPECT_FALSE(Concrete(p).are_seen_apart(s, chosen, chosen)) << bound;
    }
  }
}

}  // namespace
}  // namespace swizzle::concrete_test
