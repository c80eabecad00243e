#include "synth/provenance/word_products.h"

#include <array>

#include <gtest/gtest.h>

namespace swizzle::word_products_test {
namespace {

class WordProducts : public testing::Test {
 protected:
  std::optional<Value> of(Intrinsic kind, Scalar s, Value a, Value b) {
    return word_product(p_, kind, s, std::array{a, b});
  }
  Value upper(Scalar s, Scalar wide, Value a, Value b) {
    const Value product = p_.binary(Operator::kMul, wide, p_.convert(a, s, wide), p_.convert(b, s, wide));
    return p_.convert(p_.binary(Operator::kShr, wide, product, Value::integer(32)), wide, s);
  }

  Provenance p_;
  const Value x_ = p_.input(BufferId(0), 0, Scalar::kU32), y_ = p_.input(BufferId(0), 1, Scalar::kU32),
              i_ = p_.input(BufferId(1), 0, Scalar::kI32), j_ = p_.input(BufferId(1), 1, Scalar::kI32);
};

TEST_F(WordProducts, AreTheUpperHalfInEitherOrder) {
  const auto made = of(Intrinsic::kUmulhi, Scalar::kU32, x_, y_);
  ASSERT_TRUE(made);
  EXPECT_EQ(*made, upper(Scalar::kU32, Scalar::kU64, x_, y_));
  EXPECT_EQ(*made, *of(Intrinsic::kUmulhi, Scalar::kU32, y_, x_));
  EXPECT_EQ(*of(Intrinsic::kMulhi, Scalar::kI32, i_, j_), upper(Scalar::kI32, Scalar::kI64, i_, j_));
}

TEST_F(WordProducts, OfOtherSignsAreOthers) {
  const Value a = p_.convert(x_, Scalar::kU32, Scalar::kI32), b = p_.convert(y_, Scalar::kU32, Scalar::kI32);
  EXPECT_NE(p_.convert(*of(Intrinsic::kMulhi, Scalar::kI32, a, b), Scalar::kI32, Scalar::kU32),
            *of(Intrinsic::kUmulhi, Scalar::kU32, x_, y_));
}

TEST_F(WordProducts, AreNothingOfOtherFunctions) { EXPECT_FALSE(of(Intrinsic::kMul24, Scalar::kI32, i_, j_)); }

}  // namespace
}  // namespace swizzle::word_products_test
