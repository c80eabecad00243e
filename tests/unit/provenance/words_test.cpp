#include "synth/provenance/words.h"

#include <array>
#include <bit>
#include <random>

#include <gtest/gtest.h>

#include "emulation/word_functions.h"
#include "synth/provenance/deferred_words.h"

namespace swizzle::words_test {
namespace {

constexpr Scalar kWord = Scalar::kU32;

class Words : public ::testing::Test {
 protected:
  Value word(int n, Scalar s = kWord) { return input_word(p, BufferId(0), n, s); }
  Value known(std::int64_t v) { return Value::integer(v); }
  Value binary(Operator op, Value a, Value b, Scalar s = kWord) { return p.binary(op, s, a, b); }
  Value left(Value v, int by) { return binary(Operator::kShl, v, known(by)); }
  Value right(Value v, int by) { return binary(Operator::kShr, v, known(by)); }
  Value either(Value a, Value b) { return binary(Operator::kOr, a, b); }
  Value masked(Value v, std::int64_t mask) { return binary(Operator::kAnd, v, known(mask)); }
  Value perm(Value a, Value b, Value selector) {
    return word_intrinsic(p, Intrinsic::kBytePerm, kWord, {a, b, selector});
  }
  Value choice(int point, std::vector<Value> alternatives) {
    return p.choice(PointId(static_cast<std::size_t>(point)), alternatives);
  }
  Value resolved(Value v, Assignment assignment) {
    PointId blocked;
    return p.resolve(v, assignment, blocked);
  }

  // What the word is when inputs have these values: by bits, from its normal form.
  std::uint64_t evaluated(Value v, const std::vector<std::uint64_t>& inputs) {
    if (v.is_int()) return static_cast<std::uint64_t>(v.bits);
    std::uint64_t result = 0;
    const Children bits = p.node(v).children();
    for (std::size_t i = 0; i < bits.size(); ++i) result |= std::uint64_t{bit(bits[i], inputs)} << i;
    return result;
  }
  bool bit(Value v, const std::vector<std::uint64_t>& inputs) {
    if (v.is_int()) return v.bits != 0;
    const Node& n = p.node(v);
    if (n.kind == Node::Kind::kBit)
      return inputs[static_cast<std::size_t>(n.index() / kMostBits)] >> (n.index() % kMostBits) & 1;
    bool sum = false;
    for (const Term& t : n.terms()) {
      bool product = true;
      for (NodeId f : t.factors) product = product && bit(Value::node(f), inputs);
      sum = sum != product;
    }
    return sum;
  }

  Provenance p;
};

TEST_F(Words, BytePermIsARotationByHalfAWord) {
  EXPECT_EQ(perm(word(0), known(0), known(0x1032)), either(left(word(0), 16), right(word(0), 16)));
  EXPECT_FALSE(perm(word(0), known(0), known(0x1023)) == either(left(word(0), 16), right(word(0), 16)));
}

TEST_F(Words, BytePermTakesThreeBitsOfADigit) {
  EXPECT_EQ(perm(word(0), word(1), known(0xbbbb)), perm(word(0), word(1), known(0x3333)));
  EXPECT_EQ(perm(word(0), word(1), known(0xba98)), word(0));
}

TEST_F(Words, EqualFunctionsAreEqualNodes) {
  const Value x = word(0), y = word(1);
  const Value by_and =
      p.unary(Operator::kBitNot, kWord,
              binary(Operator::kAnd, p.unary(Operator::kBitNot, kWord, x), p.unary(Operator::kBitNot, kWord, y)));
  EXPECT_EQ(by_and, either(x, y));
  EXPECT_EQ(binary(Operator::kXor, binary(Operator::kXor, x, y), y), x);
  EXPECT_EQ(either(x, binary(Operator::kAnd, x, y)), x);
  EXPECT_FALSE(either(x, y) == binary(Operator::kXor, x, y));
}

TEST_F(Words, WhatIsKnownIsAnInteger) {
  EXPECT_EQ(masked(word(0), 0), known(0));
  EXPECT_EQ(either(masked(word(0), 0xff00), known(0xffffffff)), known(0xffffffff));
  EXPECT_EQ(p.convert(left(word(0), 8), kWord, Scalar::kU8), known(0));
}

TEST_F(Words, ASignIsExtendedOfSignedTypesOnly) {
  const Value byte = word(0, Scalar::kU8);
  const Value wide = p.convert(byte, Scalar::kU8, Scalar::kI32), with_sign = p.convert(byte, Scalar::kI8, Scalar::kI32);
  EXPECT_EQ(p.node(wide).children()[31], known(0));
  EXPECT_EQ(p.node(with_sign).children()[31], p.bit(BufferId(0), 0, 7));
  EXPECT_EQ(p.node(binary(Operator::kShr, word(0), known(4), Scalar::kI32)).children()[31], p.bit(BufferId(0), 0, 31));
  EXPECT_EQ(p.node(binary(Operator::kShr, word(0), known(4), Scalar::kU32)).children()[31], known(0));
}

TEST_F(Words, PartsAndJoinsOfWordsAreSlices) {
  const Value bytes = p.join(kWord, {word(3, Scalar::kU8), word(4, Scalar::kU8), known(0), known(255)});
  EXPECT_EQ(p.part(Scalar::kU8, bytes, 1, 4), word(4, Scalar::kU8));
  EXPECT_EQ(p.part(Scalar::kU8, bytes, 3, 4), known(255));
  EXPECT_EQ(p.part(Scalar::kU16, word(0), 1, 2), p.convert(right(word(0), 16), kWord, Scalar::kU16));
}

TEST_F(Words, ASumWithoutCarryIsAnOr) {
  EXPECT_EQ(binary(Operator::kAdd, left(word(0), 16), right(word(1), 16)),
            either(left(word(0), 16), right(word(1), 16)));
  EXPECT_TRUE(binary(Operator::kAdd, word(0), word(1)).is_undefined());
  EXPECT_TRUE(binary(Operator::kSub, word(0), word(1)).is_undefined());
  EXPECT_TRUE(binary(Operator::kLt, word(0), word(1)).is_undefined());
}

TEST_F(Words, AMultipleOfDisjointCopiesIsFollowed) {
  const Value byte = masked(word(0), 0xff);
  EXPECT_EQ(binary(Operator::kMul, byte, known(0x01010101)), perm(word(0), known(0), known(0)));
  EXPECT_TRUE(binary(Operator::kMul, word(0), known(3)).is_undefined());
}

TEST_F(Words, MinusABitIsThatBitEverywhere) {
  const Value bit = masked(word(0), 1), all = p.unary(Operator::kNegate, kWord, bit);
  for (const std::uint64_t x : {0u, 1u, 6u, 7u}) EXPECT_EQ(evaluated(all, {x}), x % 2 == 0 ? 0u : 0xffffffffu);
  EXPECT_EQ(binary(Operator::kSub, known(0), bit), all);
}

TEST_F(Words, AFewBitsAreNegatedWithTheirBorrows) {
  const Value few = masked(word(0), 0x1d2), negated = p.unary(Operator::kNegate, kWord, few);
  for (std::uint64_t x = 0; x < 512; ++x)
    EXPECT_EQ(evaluated(negated, {x}), static_cast<std::uint32_t>(-(x & 0x1d2))) << x;
  EXPECT_TRUE(p.unary(Operator::kNegate, kWord, word(0)).is_undefined());
}

TEST_F(Words, WhatIsPartOfAWordIsTakenAwayWithoutBorrow) {
  EXPECT_EQ(binary(Operator::kSub, word(0), masked(word(0), 0xf0)), masked(word(0), ~0xf0ll & 0xffffffff));
  EXPECT_TRUE(binary(Operator::kSub, word(0), masked(word(1), 1)).is_undefined());
}

TEST_F(Words, ABitTimesAWordIsTheWordOrNothing) {
  const Value bit = masked(word(0), 4);
  for (const auto& product : {binary(Operator::kMul, bit, known(0x1021)), binary(Operator::kMul, known(0x1021), bit)})
    for (const std::uint64_t x : {0u, 3u, 4u, 7u}) EXPECT_EQ(evaluated(product, {x}), (x & 4) * 0x1021);
  const Value of_words = binary(Operator::kMul, bit, word(1));
  EXPECT_EQ(evaluated(of_words, {4, 0x80000001}), 4u);
  EXPECT_EQ(evaluated(of_words, {3, 0x80000001}), 0u);
}

TEST_F(Words, AFewBitsAreCountedWithTheirCarries) {
  const Value count = word_intrinsic(p, Intrinsic::kPopc, kWord, {masked(word(0), 0x1d3)});
  for (std::uint64_t x = 0; x < 512; ++x)
    EXPECT_EQ(evaluated(count, {x}), static_cast<std::uint64_t>(std::popcount(x & 0x1d3))) << x;
  EXPECT_TRUE(word_intrinsic(p, Intrinsic::kPopc, kWord, {word(0)}).is_undefined());
}

TEST_F(Words, AConditionOfBitsSelectsBitByBit) {
  const Value odd = p.convert(masked(word(0), 1), kWord, Scalar::kBool);
  const Value selected = p.select(odd, word(1), word(2));
  for (const std::uint64_t x : {4, 5}) EXPECT_EQ(evaluated(selected, {x, 77, 99}), x == 5 ? 77u : 99u);
  EXPECT_EQ(p.select(odd, word(1), word(1)), word(1));
}

TEST_F(Words, AFullProductIsLeftOpen) {
  EXPECT_FALSE(is_followed(p, p.convert(word(0), kWord, Scalar::kBool)));
  EXPECT_TRUE(is_followed(p, p.convert(masked(word(0), 0xf), kWord, Scalar::kBool)));
}

TEST_F(Words, AShiftByAHoleIsAChoiceOfEachBit) {
  const Value by = choice(0, {known(1), known(2)});
  const Value shifted = binary(Operator::kShl, word(0), by);
  EXPECT_EQ(resolved(shifted, {0}), left(word(0), 1));
  EXPECT_EQ(resolved(shifted, {1}), left(word(0), 2));
}

TEST_F(Words, AMaskedMergeIsAChoiceOfTwoBits) {
  const Value m = p.word(std::vector<Value>(32, choice(0, {known(0), known(1)})));
  const Value merged =
      either(binary(Operator::kAnd, word(0), m), binary(Operator::kAnd, word(1), p.unary(Operator::kBitNot, kWord, m)));
  const Value first = word_bit(p, merged, 0);
  ASSERT_EQ(p.node(first).kind, Node::Kind::kChoice);
  EXPECT_EQ(p.node(first).children()[1], p.bit(BufferId(0), 0, 0));
  EXPECT_EQ(p.node(first).children()[0], p.bit(BufferId(0), 1, 0));
}

TEST_F(Words, ADeltaSwapIsAChoiceOfTwoBits) {
  const Value m = p.word(std::vector<Value>(32, choice(0, {known(0), known(1)})));
  const Value t = binary(Operator::kAnd, binary(Operator::kXor, word(0), word(1)), m);
  const Value swapped = binary(Operator::kXor, word(0), t);
  const Value first = word_bit(p, swapped, 0);
  ASSERT_EQ(p.node(first).kind, Node::Kind::kChoice);
  EXPECT_EQ(p.node(first).children()[0], p.bit(BufferId(0), 0, 0));
  EXPECT_EQ(p.node(first).children()[1], p.bit(BufferId(0), 1, 0));
}

TEST_F(Words, WhatMayBeUndefinedStaysSoBehindAMask) {
  const Value maybe = p.choice(PointId(0), {word(0), Value{}});
  const Value nothing = masked(maybe, 0);
  EXPECT_TRUE(resolved(nothing, {1}).is_undefined());
  EXPECT_EQ(resolved(nothing, {0}), known(0));
}

// Random expressions over two words: their normal form computes what the operators do.
TEST_F(Words, NormalFormsComputeWhatOperatorsDo) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  constexpr std::array kBitwise = {Operator::kAnd, Operator::kOr, Operator::kXor};
  for (int trial = 0; trial < 200; ++trial) {
    const Scalar s = std::array{Scalar::kU8, Scalar::kI16, Scalar::kU32, Scalar::kI64}[random() % 4];
    const std::vector<std::uint64_t> inputs = {random() * std::uint64_t{0x9e3779b97f4a7c15},
                                               random() * std::uint64_t{0x2545f4914f6cdd1d}};
    Value v = word(0, s);
    std::int64_t x = wrap(s, static_cast<std::int64_t>(inputs[0]));
    const std::int64_t y = wrap(s, static_cast<std::int64_t>(inputs[1]));
    for (int step = 0; step < 5; ++step) {
      bool defined = true;
      const std::int64_t constant = wrap(s, below(1u << 31) * 3);
      const bool shifts = random() % 2 == 0, other = random() % 2 == 0;
      const Operator op = shifts ? (random() % 2 == 0 ? Operator::kShl : Operator::kShr) : kBitwise[random() % 3];
      const std::int64_t by = below(static_cast<unsigned>(bit_width(s)));
      v = p.binary(op, s, v, shifts ? known(by) : other ? word(1, s) : known(constant));
      x = apply(op, s, x, shifts ? by : other ? y : constant, defined);
      ASSERT_FALSE(v.is_undefined());
    }
    EXPECT_EQ(wrap(s, static_cast<std::int64_t>(evaluated(v, inputs))), x) << "trial " << trial;
  }
}

TEST_F(Words, FunctionsComputeWhatTheEmulationDoes) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 50; ++trial) {
    const std::uint32_t a = random(), b = random(), c = random();
    const std::vector<std::uint64_t> inputs = {a, b};
    const auto of = [&](Intrinsic kind, std::int64_t operand) {
      return evaluated(word_intrinsic(p, kind, kWord, {word(0), word(1), known(operand)}), inputs);
    };
    EXPECT_EQ(of(Intrinsic::kBytePerm, c), swizzle_emulation::chosen_bytes(a, b, c));
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    EXPECT_EQ(of(Intrinsic::kFunnelShiftL, c), both << (c & 31) >> 32);
    EXPECT_EQ(of(Intrinsic::kFunnelShiftR, c), both >> (c & 31) & 0xffffffff);
    EXPECT_EQ(of(Intrinsic::kFunnelShiftLC, 40), a);
    EXPECT_EQ(of(Intrinsic::kFunnelShiftRC, 32), b);
    EXPECT_EQ(evaluated(word_intrinsic(p, Intrinsic::kBrev, kWord, {word(0)}), inputs),
              swizzle_emulation::reversed(a, 32));
  }
}

}  // namespace
}  // namespace swizzle::words_test
