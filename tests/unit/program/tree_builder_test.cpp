#include "synth/program/tree_builder.h"

#include <string>

#include <gtest/gtest.h>

namespace swizzle::tree_builder_test {
namespace {

class TreeBuilderNodes : public ::testing::Test {
 protected:
  ExprId pointer() {
    Variable v;
    v.name = "p";
    v.type = build_.pointer_to(build_.scalar_type(Scalar::kF32));
    return build_.variable_use(build_.make(v), kAt);
  }
  const Expr& expr(ExprId id) const { return program_.expr(id); }

  static constexpr SourceRange kAt{3, 7}, kElsewhere{9, 12};
  Program program_;
  TreeBuilder build_{program_};
};

TEST_F(TreeBuilderNodes, ATypeIsMadeOnce) {
  const TypeId f32 = build_.scalar_type(Scalar::kF32);
  EXPECT_EQ(build_.scalar_type(Scalar::kF32), f32);
  EXPECT_EQ(build_.pointer_to(f32), build_.pointer_to(f32));
  EXPECT_EQ(program_.types.size(), 2u);
  EXPECT_EQ(program_.type(build_.pointer_to(f32)).spelling, "float *");
}

TEST_F(TreeBuilderNodes, APointerToWhatIsConstIsAnother) {
  const TypeId f32 = build_.scalar_type(Scalar::kF32), plain = build_.pointer_to(f32);
  program_.types[plain.value].pointee_is_const = true;
  EXPECT_NE(build_.pointer_to(f32), plain);
}

TEST_F(TreeBuilderNodes, AddressAndDereferenceUndoEachOthersTypes) {
  const ExprId place = build_.dereference(pointer());
  EXPECT_EQ(expr(place).type, build_.scalar_type(Scalar::kF32));
  const ExprId address = build_.address_of(place);
  EXPECT_EQ(expr(address).type, build_.pointer_to(build_.scalar_type(Scalar::kF32)));
  EXPECT_EQ(expr(address).range, kAt);
}

TEST_F(TreeBuilderNodes, WhatIsNoPointerKeepsItsTypeWhenDereferenced) {
  const ExprId number = build_.placeholder(kAt);
  const ExprId place = build_.dereference(number);
  EXPECT_EQ(expr(place).type, expr(number).type);
}

TEST_F(TreeBuilderNodes, APlaceIsSeenAsAnotherTypeThroughItsAddress) {
  const TypeId u32 = build_.scalar_type(Scalar::kU32);
  const ExprId seen = build_.seen_as(build_.dereference(pointer()), u32);
  EXPECT_EQ(expr(seen).kind, ExprKind::kDereference);
  EXPECT_EQ(expr(seen).type, u32);
  EXPECT_EQ(expr(expr(seen).operands[0]).type, build_.pointer_to(u32));
}

TEST_F(TreeBuilderNodes, ConversionToItsOwnTypeIsTheValue) {
  const ExprId one = build_.integer(1, build_.scalar_type(Scalar::kI32), kAt);
  EXPECT_EQ(build_.converted(one, build_.scalar_type(Scalar::kI32)), one);
  const ExprId wide = build_.converted(one, build_.scalar_type(Scalar::kI64));
  EXPECT_EQ(expr(wide).kind, ExprKind::kCast);
  EXPECT_EQ(expr(wide).operands, std::vector{one});
}

TEST_F(TreeBuilderNodes, ScaledByZeroOrOneNeedsNoProduct) {
  const TypeId i64 = build_.scalar_type(Scalar::kI64);
  const ExprId sum = build_.integer(5, i64, kAt), value = build_.integer(6, i64, kAt);
  EXPECT_EQ(build_.plus_scaled(sum, value, 0, kAt), sum);
  EXPECT_EQ(build_.plus_scaled({}, value, 1, kAt), value);
  EXPECT_EQ(expr(build_.plus_scaled(sum, value, 1, kAt)).operands, (std::vector{sum, value}));
  const Expr& scaled = expr(build_.plus_scaled(sum, value, 4, kElsewhere));
  EXPECT_EQ(scaled.op, Operator::kAdd);
  EXPECT_EQ(scaled.range, kElsewhere);
  EXPECT_EQ(expr(scaled.operands[1]).op, Operator::kMul);
}

// `c && (effect, true)`: the value of the effect decides nothing.
TEST_F(TreeBuilderNodes, AnEffectUnderAConditionIsTrue) {
  const ExprId condition = build_.integer(1, build_.scalar_type(Scalar::kBool), kAt), effect = build_.unknown(kAt);
  const Expr& all = expr(build_.under(condition, effect, kAt));
  EXPECT_EQ(all.op, Operator::kLogicalAnd);
  EXPECT_EQ(all.operands[0], condition);
  const Expr& comma = expr(all.operands[1]);
  EXPECT_EQ(comma.kind, ExprKind::kComma);
  EXPECT_EQ(comma.operands[0], effect);
  EXPECT_EQ(expr(comma.operands[1]).int_value, 1);
}

TEST_F(TreeBuilderNodes, AWiderScalarMaySeeSeveralNarrowOnes) {
  const TypeId f32 = build_.scalar_type(Scalar::kF32), i32 = build_.scalar_type(Scalar::kI32),
               i64 = build_.scalar_type(Scalar::kI64), truth = build_.scalar_type(Scalar::kBool);
  EXPECT_TRUE(build_.may_be_seen_as(f32, f32));
  EXPECT_TRUE(build_.may_be_seen_as(i32, i64));
  EXPECT_TRUE(build_.may_be_seen_as(f32, i32));
  EXPECT_FALSE(build_.may_be_seen_as(i64, f32));
  EXPECT_FALSE(build_.may_be_seen_as(truth, i32));
}

}  // namespace
}  // namespace swizzle::tree_builder_test
