#include "synth/provenance/deferred_words.h"

#include <random>

#include <gtest/gtest.h>

#include "synth/provenance/words.h"

namespace swizzle::deferred_words_test {
namespace {

constexpr Scalar kWidth = Scalar::kU32;

class DeferredWords : public ::testing::Test {
 protected:
  Value word(int n) { return input_word(p, BufferId(0), n, kWidth); }
  Value choice(int point, std::vector<Value> alternatives) {
    return p.choice(PointId(static_cast<std::size_t>(point)), alternatives);
  }
  bool is_deferred(Value v) { return v.is_node() && p.node(v).kind == Node::Kind::kDeferred; }
  Value resolved(Value v, const Assignment& assignment) {
    PointId blocked;
    return p.resolve(v, assignment, blocked);
  }

  Provenance p;
};

TEST_F(DeferredWords, WhatNoHoleDecidesIsWorkedOutAtOnce) {
  EXPECT_FALSE(is_deferred(p.binary(Operator::kAnd, kWidth, word(0), Value::integer(255))));
  EXPECT_TRUE(is_deferred(p.binary(Operator::kAnd, kWidth, word(0), choice(0, {Value::integer(1), word(1)}))));
}

TEST_F(DeferredWords, AChoiceOfInputsIsOpen) {
  const Value v = choice(0, {word(0), word(1)});
  EXPECT_TRUE(p.has_choice(v));
  EXPECT_EQ(resolved(v, {1}), word(1));
}

TEST_F(DeferredWords, AskingForABitMakesNoOthers) {
  const Value by = choice(0, {Value::integer(1), Value::integer(2)});
  const Value shifted = p.binary(Operator::kShl, kWidth, word(0), by);
  const std::size_t before = p.size();
  const Value bit = word_bit(p, shifted, 5);
  EXPECT_EQ(p.size(), before + 1);
  EXPECT_EQ(p.node(bit).children()[0], p.bit(BufferId(0), 0, 4));
  EXPECT_EQ(p.node(bit).children()[1], p.bit(BufferId(0), 0, 3));
  EXPECT_EQ(word_bit(p, shifted, 5), bit);
  EXPECT_EQ(p.size(), before + 1);
}

TEST_F(DeferredWords, AShiftThatIsTooFarWhateverIsChosenIsUndefined) {
  const Value far = choice(0, {Value::integer(32), Value::integer(40)}),
              either = choice(0, {Value::integer(31), Value::integer(32)});
  EXPECT_TRUE(p.binary(Operator::kShl, kWidth, word(0), far).is_undefined());
  const Value shifted = p.binary(Operator::kShl, kWidth, word(0), either);
  EXPECT_FALSE(resolved(shifted, {0}).is_undefined());
  EXPECT_TRUE(resolved(shifted, {1}).is_undefined());
  EXPECT_TRUE(resolved(p.binary(Operator::kAnd, kWidth, shifted, Value::integer(0)), {1}).is_undefined());
}

TEST_F(DeferredWords, KnownsOfHolesAloneAreNoData) {
  const Value mask = p.word({choice(0, {Value::integer(0), Value::integer(1)}), Value::integer(0)});
  const Value inverted = p.unary(Operator::kBitNot, kWidth, mask);
  EXPECT_FALSE(p.node(inverted).has_data);
  EXPECT_TRUE(p.node(p.binary(Operator::kAnd, kWidth, inverted, word(0))).has_data);
}

TEST_F(DeferredWords, ResolvingSomePointsLeavesTheOthersOpen) {
  const Value from = choice(0, {word(0), word(1)}), by = choice(1, {Value::integer(0), Value::integer(3)});
  const Value v = p.binary(Operator::kShr, kWidth, from, by);
  DecidedValues known;
  const Value partly = p.resolve_known(v, {1, -1}, known);
  EXPECT_EQ(partly, p.binary(Operator::kShr, kWidth, word(1), by));
  EXPECT_EQ(resolved(partly, {-1, 1}), resolved(v, {1, 1}));
}

// Random operations on random words, by bits that are asked for and by resolving the operations.
TEST_F(DeferredWords, EachBitIsThatOfTheResolvedWord) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::vector<Value> words{word(0), word(1), Value::integer(0x00ff00ff)}, amounts{Value::integer(3)};
  for (int point = 0; point < 2; ++point) {
    amounts.push_back(choice(point, {Value::integer(1), Value::integer(16)}));
    words.push_back(choice(point, {word(2), Value::integer(-1)}));
    std::vector<Value> bits;
    for (int b = 0; b < 32; ++b) bits.push_back(choice(2 + b % 3, {Value::integer(0), Value::integer(1)}));
    words.push_back(p.word(bits));
  }
  constexpr Operator kLogic[] = {Operator::kAnd, Operator::kOr, Operator::kXor};
  constexpr Intrinsic kMoves[] = {Intrinsic::kFunnelShiftL, Intrinsic::kFunnelShiftR, Intrinsic::kFunnelShiftLC};
  for (int trial = 0; trial < 200; ++trial) {
    const Value a = words[below(words.size())], b = words[below(words.size())], by = amounts[below(amounts.size())];
    const std::size_t which = below(7);
    const Value made = which < 3    ? p.binary(kLogic[which], kWidth, a, b)
                       : which == 3 ? p.binary(below(2) == 0 ? Operator::kShl : Operator::kShr,
                                               below(2) == 0 ? Scalar::kU32 : Scalar::kI32, a, by)
                       : which == 4 ? word_intrinsic(p, kMoves[below(3)], kWidth, {a, b, by})
                       : which == 5 ? word_intrinsic(p, Intrinsic::kBrev, kWidth, {a})
                                    : p.convert(p.convert(a, kWidth, Scalar::kU8), Scalar::kI8, Scalar::kI32);
    if (words.size() < 40) words.push_back(made);
    Assignment assignment;
    for (int point = 0; point < 5; ++point) assignment.push_back(static_cast<int>(below(2)));
    const Value whole = resolved(made, assignment);
    for (std::size_t i = 0; i < 32; ++i)
      ASSERT_EQ(resolved(word_bit(p, made, i), assignment), word_bit(p, whole, i)) << trial << " bit " << i;
  }
}

}  // namespace
}  // namespace swizzle::deferred_words_test
