#include "synth/program/operators.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "emulation/small_reals.h"

namespace swizzle::operators_test {
namespace {

constexpr std::array kIntegers{Scalar::kBool, Scalar::kI8,  Scalar::kU8,  Scalar::kI16, Scalar::kU16,
                               Scalar::kI32,  Scalar::kU32, Scalar::kI64, Scalar::kU64};

constexpr int kOperators = static_cast<int>(Operator::kLogicalNot) + 1;

template <typename T>
struct ScalarOf;
template <>
struct ScalarOf<bool> {
  static constexpr Scalar value = Scalar::kBool;
};
template <>
struct ScalarOf<std::int8_t> {
  static constexpr Scalar value = Scalar::kI8;
};
template <>
struct ScalarOf<std::uint8_t> {
  static constexpr Scalar value = Scalar::kU8;
};
template <>
struct ScalarOf<std::int16_t> {
  static constexpr Scalar value = Scalar::kI16;
};
template <>
struct ScalarOf<std::uint16_t> {
  static constexpr Scalar value = Scalar::kU16;
};
template <>
struct ScalarOf<std::int32_t> {
  static constexpr Scalar value = Scalar::kI32;
};
template <>
struct ScalarOf<std::uint32_t> {
  static constexpr Scalar value = Scalar::kU32;
};
template <>
struct ScalarOf<std::int64_t> {
  static constexpr Scalar value = Scalar::kI64;
};
template <>
struct ScalarOf<std::uint64_t> {
  static constexpr Scalar value = Scalar::kU64;
};

// What this compiler computes; nothing where the language leaves the result undefined. Signed + - * wrap, as the
// header promises, which C++ itself only does for unsigned operands.
template <typename T>
std::optional<std::int64_t> compiled(Operator op, T a, T b) {
  using Wide = decltype(a + b);  // after C's promotions
  using Bits = std::make_unsigned_t<Wide>;
  const Wide wa = a, wb = b;
  const Bits ua = static_cast<Bits>(wa), ub = static_cast<Bits>(wb);
  const auto narrow = [](auto v) { return static_cast<std::int64_t>(static_cast<T>(v)); };
  const bool overflows =
      std::is_signed_v<Wide> && wa == std::numeric_limits<Wide>::min() && wb == static_cast<Wide>(-1);
  const bool over_wide =
      b < T{0} || static_cast<std::uint64_t>(b) >= static_cast<std::uint64_t>(bit_width(ScalarOf<T>::value));
  switch (op) {
    case Operator::kAdd: return narrow(ua + ub);
    case Operator::kSub: return narrow(ua - ub);
    case Operator::kMul: return narrow(ua * ub);
    case Operator::kDiv: return wb == 0 || overflows ? std::nullopt : std::optional(narrow(wa / wb));
    case Operator::kRem: return wb == 0 || overflows ? std::nullopt : std::optional(narrow(wa % wb));
    case Operator::kShl: return over_wide ? std::nullopt : std::optional(narrow(ua << b));
    case Operator::kShr: return over_wide ? std::nullopt : std::optional(narrow(wa >> b));
    case Operator::kAnd: return narrow(wa & wb);
    case Operator::kOr: return narrow(wa | wb);
    case Operator::kXor: return narrow(wa ^ wb);
    case Operator::kLt: return a < b;
    case Operator::kLe: return a <= b;
    case Operator::kGt: return a > b;
    case Operator::kGe: return a >= b;
    case Operator::kEq: return a == b;
    case Operator::kNe: return a != b;
    case Operator::kLogicalAnd: return a && b;
    case Operator::kLogicalOr: return a || b;
    case Operator::kNegate: return narrow(Bits{0} - ua);
    case Operator::kBitNot: return narrow(~ua);
    case Operator::kLogicalNot: return !a;
  }
  return std::nullopt;
}

// Corners of every width, small numbers (shifts, equal operands), and random bits.
std::vector<std::int64_t> operands(std::mt19937_64& random) {
  std::vector<std::int64_t> values{INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, UINT32_MAX, INT16_MIN,
                                   INT16_MAX, INT8_MIN,  INT8_MAX,  255,       65535};
  for (std::int64_t v = -3; v <= 4; ++v) values.push_back(v);
  for (std::int64_t v : {7, 8, 15, 16, 31, 32, 63, 64}) values.push_back(v);
  for (int i = 0; i < 40; ++i) values.push_back(static_cast<std::int64_t>(random() >> (random() % 64)));
  return values;
}

template <typename T>
class OperatorsOf : public testing::Test {};

using IntegerTypes = testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                    std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(OperatorsOf, IntegerTypes);

TYPED_TEST(OperatorsOf, ApplyEqualsCompiledCode) {
  constexpr Scalar s = ScalarOf<TypeParam>::value;
  std::mt19937_64 random(20190413);
  const std::vector<std::int64_t> values = operands(random);
  for (int code = 0; code < kOperators; ++code) {
    const auto op = static_cast<Operator>(code);
    for (const std::int64_t x : values) {
      for (const std::int64_t y : values) {
        const auto a = static_cast<TypeParam>(x), b = static_cast<TypeParam>(y);
        const auto expected = compiled<TypeParam>(op, a, b);
        bool defined = false;
        const std::int64_t actual = apply(op, s, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), defined);
        ASSERT_EQ(defined, expected.has_value()) << +a << ' ' << spelling(op) << ' ' << +b;
        if (!expected) continue;
        ASSERT_EQ(actual, *expected) << +a << ' ' << spelling(op) << ' ' << +b;
      }
    }
  }
}

TYPED_TEST(OperatorsOf, WrapIsWhatAnObjectHolds) {
  std::mt19937_64 random(7);
  for (const std::int64_t v : operands(random))
    EXPECT_EQ(wrap(ScalarOf<TypeParam>::value, v), static_cast<std::int64_t>(static_cast<TypeParam>(v))) << v;
}

TYPED_TEST(OperatorsOf, SizesAreTheCompilers) {
  constexpr Scalar s = ScalarOf<TypeParam>::value;
  EXPECT_EQ(size_bytes(s), static_cast<int>(sizeof(TypeParam)));
  EXPECT_EQ(is_unsigned(s), std::is_unsigned_v<TypeParam>);
  EXPECT_FALSE(is_real(s));
  EXPECT_EQ(bit_width(s), (std::is_same_v<TypeParam, bool>) ? 1 : static_cast<int>(8 * sizeof(TypeParam)));
}

TEST(Operators, RealsHaveTheirSizes) {
  EXPECT_EQ(size_bytes(Scalar::kF16), 2);
  EXPECT_EQ(size_bytes(Scalar::kBF16), 2);
  EXPECT_EQ(size_bytes(Scalar::kF32), 4);
  EXPECT_EQ(size_bytes(Scalar::kF64), 8);
  for (Scalar s : {Scalar::kF16, Scalar::kBF16, Scalar::kF32, Scalar::kF64}) EXPECT_TRUE(is_real(s) && !is_unsigned(s));
}

TEST(Operators, ComparisonsAndLogicYieldZeroOrOne) {
  std::mt19937_64 random(11);
  const std::vector<std::int64_t> values = operands(random);
  for (Scalar s : kIntegers) {
    for (int code = 0; code < kOperators; ++code) {
      const auto op = static_cast<Operator>(code);
      if (!is_comparison(op) && op != Operator::kLogicalAnd && op != Operator::kLogicalOr &&
          op != Operator::kLogicalNot)
        continue;
      for (std::int64_t a : values) {
        bool defined = false;
        const std::int64_t r = apply(op, s, a, values[0], defined);
        EXPECT_TRUE(defined && (r == 0 || r == 1));
      }
    }
  }
}

TEST(Operators, SpellingsAreC) {
  EXPECT_EQ(spelling(Operator::kAdd), "+");
  EXPECT_EQ(spelling(Operator::kShr), ">>");
  EXPECT_EQ(spelling(Operator::kNe), "!=");
  EXPECT_EQ(spelling(Operator::kLogicalOr), "||");
  EXPECT_EQ(spelling(Operator::kNegate), "-");
  EXPECT_EQ(spelling(Operator::kLogicalNot), "!");
  EXPECT_TRUE(is_unary(Operator::kBitNot));
  EXPECT_FALSE(is_unary(Operator::kLogicalOr));
}

// The two roundings to 16 bits are written independently of each other.
TEST(Operators, RealsOf16BitsAreRoundedAsTheEmulationRoundsThem) {
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    const auto b = static_cast<unsigned short>(bits);
    const float half = swizzle_emulation::half_value(b), wide = swizzle_emulation::bfloat16_value(b);
    if (std::isfinite(half)) {
      EXPECT_EQ(nearest(Scalar::kF16, half), half);
      EXPECT_EQ(swizzle_emulation::half_bits(half), b);
    }
    if (std::isfinite(wide)) {
      EXPECT_EQ(swizzle_emulation::bfloat16_bits(wide), b);
    }
  }
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t bits = random();
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(nearest(Scalar::kF16, value), swizzle_emulation::half_value(swizzle_emulation::half_bits(value)))
        << value;
    EXPECT_EQ(nearest(Scalar::kBF16, value), swizzle_emulation::bfloat16_value(swizzle_emulation::bfloat16_bits(value)))
        << value;
    const float small =
        std::ldexp(static_cast<float>(static_cast<std::int32_t>(bits)), static_cast<int>(bits % 48) - 50);
    EXPECT_EQ(nearest(Scalar::kF16, small), swizzle_emulation::half_value(swizzle_emulation::half_bits(small)))
        << small;
  }
  EXPECT_EQ(nearest(Scalar::kF16, 65519.0), 65504.0);
  EXPECT_TRUE(std::isinf(nearest(Scalar::kF16, 65520.0)));
}

}  // namespace
}  // namespace swizzle::operators_test
