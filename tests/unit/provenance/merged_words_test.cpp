#include "synth/provenance/merged_words.h"

#include <gtest/gtest.h>

#include "synth/provenance/deferred_words.h"
#include "synth/provenance/words.h"

namespace swizzle::merged_words_test {
namespace {

constexpr Scalar kWidth = Scalar::kU32;

class MergedWords : public ::testing::Test {
 protected:
  MergedWords() {
    std::vector<Value> bits;
    for (int b = 0; b < 32; ++b) bits.push_back(choice(b % 2, {Value::integer(0), Value::integer(1)}));
    mask = p.binary(Operator::kShl, kWidth, p.word(bits), choice(2, {Value::integer(0), Value::integer(3)}));
    a = input_word(p, BufferId(0), 0, kWidth);
    b = choice(3, {input_word(p, BufferId(0), 1, kWidth), input_word(p, BufferId(0), 2, kWidth)});
  }
  Value choice(int point, std::vector<Value> alternatives) {
    return p.choice(PointId(static_cast<std::size_t>(point)), alternatives);
  }
  Value logic(Operator op, Value x, Value y) { return p.binary(op, kWidth, x, y); }
  Value inverted(Value x) { return p.unary(Operator::kBitNot, kWidth, x); }
  Value masked(Value x, Value k) { return logic(Operator::kAnd, x, k); }
  Value resolved(Value v, const Assignment& assignment) {
    PointId blocked;
    return p.resolve(v, assignment, blocked);
  }
  bool is_merge(Value v) { return p.node(v).kind == Node::Kind::kDeferred && p.node(v).tag == kDeferredMerge; }

  // The merge of what the words come to, bit by bit, whatever holes decide.
  void expect_merged(Value v, Value k, Value one, Value zero) {
    ASSERT_TRUE(is_merge(v));
    for (int n = 0; n < 16; ++n) {
      const Assignment assignment{n & 1, n >> 1 & 1, n >> 2 & 1, n >> 3};
      const Value known = resolved(k, assignment), first = resolved(one, assignment),
                  second = resolved(zero, assignment);
      for (std::size_t i = 0; i < 32; ++i) {
        const Value wanted = word_bit(p, (known.bits >> i & 1) != 0 ? first : second, i);
        ASSERT_EQ(resolved(word_bit(p, v, i), assignment), wanted) << n << " bit " << i;
        ASSERT_EQ(word_bit(p, resolved(v, assignment), i), wanted) << n << " bit " << i;
      }
    }
  }

  Provenance p;
  Value mask, a, b;
};

TEST_F(MergedWords, WhatAMaskKeepsOfTwoWordsIsOneOperation) {
  for (const Operator op : {Operator::kOr, Operator::kXor}) {
    expect_merged(logic(op, masked(a, mask), masked(b, inverted(mask))), mask, a, b);
    expect_merged(logic(op, masked(inverted(mask), b), masked(mask, a)), mask, a, b);
  }
}

TEST_F(MergedWords, ADeltaSwapIsOne) {
  const Value delta = masked(logic(Operator::kXor, a, b), mask);
  expect_merged(logic(Operator::kXor, b, delta), mask, a, b);
  expect_merged(logic(Operator::kXor, delta, a), mask, b, a);
}

TEST_F(MergedWords, ConstantsMayBeOpposite) {
  const Value low = masked(b, Value::integer(0xffff)), high = masked(mask, Value::integer(0xffff0000));
  expect_merged(logic(Operator::kOr, low, high), Value::integer(0xffff), b, mask);
}

TEST_F(MergedWords, OtherMasksAreNone) {
  const Value other = inverted(p.binary(Operator::kShl, kWidth, mask, Value::integer(1)));
  EXPECT_FALSE(is_merge(logic(Operator::kOr, masked(a, mask), masked(b, other))));
  EXPECT_FALSE(is_merge(logic(Operator::kOr, masked(a, mask), masked(b, mask))));
  EXPECT_FALSE(is_merge(logic(Operator::kOr, b, masked(logic(Operator::kXor, a, b), mask))));
}

// What is undefined for some choice stays so where the mask takes the other word.
TEST_F(MergedWords, WhatMayBeUndefinedIsNone) {
  const Value far = p.binary(Operator::kShl, kWidth, b, choice(4, {Value::integer(1), Value::integer(40)}));
  const Value made = logic(Operator::kOr, masked(a, mask), masked(far, inverted(mask)));
  EXPECT_FALSE(is_merge(made));
  EXPECT_TRUE(resolved(made, {1, 1, 0, 0, 1}).is_undefined());
}

}  // namespace
}  // namespace swizzle::merged_words_test
