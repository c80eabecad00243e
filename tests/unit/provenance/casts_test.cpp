#include "synth/provenance/casts.h"

#include <gtest/gtest.h>

namespace swizzle::casts_test {
namespace {

constexpr int kScalars = static_cast<int>(Scalar::kF64) + 1;

TEST(Casts, TheCodeOfEachIsTakenApartAgain) {
  for (int from = 0; from < kScalars; ++from)
    for (int to = 0; to < kScalars; ++to) {
      const Cast cast{static_cast<Scalar>(from), static_cast<Scalar>(to)};
      const auto known = cast_of(cast_code(cast));
      ASSERT_TRUE(known);
      EXPECT_EQ(known->from, cast.from);
      EXPECT_EQ(known->to, cast.to);
    }
}

TEST(Casts, OtherFunctionsAreNone) {
  EXPECT_FALSE(cast_of(static_cast<std::uint32_t>(Operator::kAdd)));
  EXPECT_FALSE(cast_of(kOpaqueCast - 1));
  for (const std::uint32_t code : {kOpaqueSelect, kOpaqueIntrinsic, kOpaqueJoin, kOpaquePart, kDeferredChoice})
    EXPECT_FALSE(cast_of(code)) << code;
  Node sum;
  sum.kind = Node::Kind::kRing;
  sum.tag = cast_code({Scalar::kI32, Scalar::kF32});
  EXPECT_FALSE(cast_of(sum));
  sum.kind = Node::Kind::kOpaque;
  EXPECT_TRUE(cast_of(sum));
}

}  // namespace
}  // namespace swizzle::casts_test
