#include "synth/trials/doubles.h"

#include <random>

#include <gtest/gtest.h>

#include "synth/program/intrinsics.h"
#include "synth/provenance/casts.h"

namespace swizzle::doubles_test {
namespace {

std::optional<Approximate> called(Intrinsic kind, Approximate x) {
  return function_on_doubles(kOpaqueIntrinsic + static_cast<std::uint32_t>(kind), std::span(&x, 1));
}
std::optional<Approximate> operated(Operator op, Approximate a, Approximate b) {
  const std::array operands{a, b};
  return function_on_doubles(static_cast<std::uint32_t>(op), operands);
}

TEST(Doubles, KnowWhatRoundingTakesAway) {
  EXPECT_EQ((Approximate{0.5} + Approximate{8.25}).error, 0);
  EXPECT_EQ((Approximate{0.375} * Approximate{-8.25}).error, 0);
  EXPECT_EQ((Approximate{1e16} + Approximate{1}).error, 1);
  EXPECT_GT((Approximate{0.1} * Approximate{0.1}).error, 0);
  EXPECT_FALSE(are_apart(Approximate{1e16} + Approximate{1}, Approximate{1e16}));
  EXPECT_TRUE(are_apart({1, 1e-9}, {1 + 1e-7, 1e-9}));
  EXPECT_FALSE(are_apart({1, 1e-7}, {1 + 1e-7, 1e-9}));
}

TEST(Doubles, AreOfSeveralSizes) {
  for (std::uint64_t random = 0; random < 4096; ++random) {
    EXPECT_LE(std::abs(any_double(random)), 8);
    EXPECT_LE(std::abs(any_double(random, 1)), 0.5);
    EXPECT_GE(any_double(random, 2), 0);
  }
}

TEST(Doubles, HaveNoValueWhereAFunctionMayJump) {
  EXPECT_EQ(called(Intrinsic::kRsqrt, {4})->value, 0.5);
  EXPECT_FALSE(called(Intrinsic::kRsqrt, {1e-20, 1e-19}));
  EXPECT_FALSE(called(Intrinsic::kFloor, {3 - 1e-12, 1e-9}));
  EXPECT_EQ(called(Intrinsic::kFloor, {3.25, 1e-9})->value, 3);
  EXPECT_FALSE(called(Intrinsic::kExp, {1000}));
  EXPECT_FALSE(operated(Operator::kDiv, {1}, {1e-12, 1e-9}));
  EXPECT_FALSE(operated(Operator::kLt, {1, 1e-9}, {1 + 1e-10, 0}));
  EXPECT_FALSE(operated(Operator::kEq, {1}, {1}));  // perhaps by rounding
  EXPECT_EQ(operated(Operator::kLt, {1}, {2})->value, 1);
  EXPECT_EQ(operated(Operator::kGe, {1}, {2})->value, 0);
}

TEST(Doubles, AreNoneWhereThereIsNone) {
  for (const auto& none : {called(Intrinsic::kRsqrt, {0}), called(Intrinsic::kLog, {-1, 0.5}),
                           called(Intrinsic::kSqrt, {-4}), operated(Operator::kDiv, {0}, {0})}) {
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->is_none());
    EXPECT_TRUE((*none + Approximate{1}).is_none());
    EXPECT_TRUE((Approximate{0} * *none).is_none());
    EXPECT_TRUE(are_apart(*none, {1}));
    EXPECT_FALSE(are_apart(*none, *none));
    EXPECT_FALSE(called(Intrinsic::kExp, *none));
    EXPECT_FALSE(operated(Operator::kLt, *none, {1}));
  }
}

TEST(Doubles, AreOfTypesThatNothingIsLostIn) {
  EXPECT_TRUE(has_doubles(cast_code({Scalar::kF16, Scalar::kF32}), Scalar::kF32, 1));
  EXPECT_FALSE(has_doubles(cast_code({Scalar::kF32, Scalar::kF16}), Scalar::kF16, 1));
  EXPECT_FALSE(has_doubles(cast_code({Scalar::kF32, Scalar::kI32}), Scalar::kI32, 1));
  for (const double integer : {16777217.0, -1.0})  // which is 4294967295, or more
    EXPECT_FALSE(function_on_doubles(cast_code({Scalar::kU32, Scalar::kF32}), std::array{Approximate{integer}}));
  EXPECT_TRUE(function_on_doubles(cast_code({Scalar::kI32, Scalar::kF32}), std::array{Approximate{-1}}));
}

// Against more digits: what an expression at random comes to is as far off as it says, or less than twice that.
TEST(Doubles, AreWithinTheirErrors) {
  std::mt19937 random(3);
  int exact = 0;
  for (int round = 0; round < 3000; ++round) {
    Approximate a{any_double(random())};
    long double real = a.value;
    for (int step = 0; step < 6; ++step) {
      const Approximate b{any_double(random()) / 3};
      switch (random() % 4) {
        case 0: a = a + b, real += b.value; break;
        case 1: a = a * b, real *= b.value; break;
        case 2:
          if (const auto q = operated(Operator::kDiv, a, b); q && !q->is_none()) a = *q, real /= b.value;
          break;
        default:
          if (const auto f = called(Intrinsic::kTanh, a)) a = *f, real = std::tanh(real);
      }
    }
    EXPECT_LE(std::abs(static_cast<double>(real - a.value)), 2 * a.error);
    exact += a.error == 0 ? 1 : 0;
    EXPECT_LT(a.error, 1e-9 * (1 + std::abs(a.value)));
  }
  EXPECT_LT(exact, 1000);
}

}  // namespace
}  // namespace swizzle::doubles_test
