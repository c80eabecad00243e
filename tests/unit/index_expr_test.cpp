#include "synth/index_expr.h"

#include <gtest/gtest.h>

namespace swizzle {
namespace {

const IndexExpr kLane = IndexExpr::argument(0), kK = IndexExpr::argument(1);

TEST(IndexExpr, ModuloOfAPowerOfTwoPrintsAsAMask) {
  EXPECT_EQ(IndexExpr::mod(IndexExpr::add(kLane, kK), 32).print({"lane", "k"}), "(lane + k) & 31");
}

TEST(IndexExpr, OtherModuliPrintAsRemainders) { EXPECT_EQ(IndexExpr::mod(IndexExpr::add(kLane, kK), 3).print({"lane", "k"}), "(lane + k) % 3"); }

TEST(IndexExpr, ArgumentsWithOperatorsGetParentheses) {
  EXPECT_EQ(IndexExpr::mul(kLane, 3).print({"threadIdx.x + 1"}), "(threadIdx.x + 1) * 3");
  EXPECT_EQ(IndexExpr::mul(kLane, 3).print({"threadIdx.x"}), "threadIdx.x * 3");
}

TEST(IndexExpr, ZeroAndOneDisappear) {
  EXPECT_EQ(IndexExpr::add(kLane, IndexExpr::constant(0)).integer_ops(), 0);
  EXPECT_EQ(IndexExpr::mul(kLane, 1).integer_ops(), 0);
  EXPECT_TRUE(IndexExpr::mul(kLane, 0).is_constant());
}

TEST(IndexExpr, RemainderIsMathematical) { EXPECT_EQ(IndexExpr::mod(IndexExpr::sub(kLane, kK), 3).evaluate({0, 1}), 2); }

}  // namespace
}  // namespace swizzle
