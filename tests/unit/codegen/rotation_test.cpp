#include "codegen/emit/rotation.h"

#include <gtest/gtest.h>

namespace swizzle::rotation_test {
namespace {

const std::vector<std::string> kNames = {"j", "lane"};
const std::vector<bool> kJIsKnown = {true, false};

IndexExpr j() { return IndexExpr::argument(0); }
IndexExpr lane() { return IndexExpr::argument(1); }
IndexExpr number(std::int64_t v) { return IndexExpr::constant(v); }
IndexExpr scaled(IndexExpr e, std::int64_t factor) { return IndexExpr::mul(std::move(e), factor); }
IndexExpr sum(IndexExpr a, IndexExpr b) { return IndexExpr::add(std::move(a), std::move(b)); }
IndexExpr difference(IndexExpr a, IndexExpr b) { return IndexExpr::sub(std::move(a), std::move(b)); }
IndexExpr mod(IndexExpr a, std::int64_t m) { return IndexExpr::mod(std::move(a), m); }
IndexExpr flipped(IndexExpr a, IndexExpr b) { return IndexExpr::bit_xor(std::move(a), std::move(b)); }
IndexExpr div(IndexExpr a, std::int64_t d) { return IndexExpr::div(std::move(a), d); }

std::vector<std::vector<std::int64_t>> iterations(std::int64_t count) {
  std::vector<std::vector<std::int64_t>> found;
  for (std::int64_t i = 0; i < count; ++i) found.push_back({i, 0});
  return found;
}

// The register that steps by the bits of every amount lead to, from the index without them.
std::int64_t by_steps(const Rotation& rotation, const std::vector<std::int64_t>& arguments, std::int64_t registers) {
  std::int64_t at = rotation.known(0, 0, iterations(registers)).evaluate(arguments);
  for (const Digit& digit : rotation.digits) {
    const std::int64_t amount = mod(digit.turn, digit.modulus).evaluate(arguments);
    for (std::int64_t bit = 1; bit < digit.modulus; bit *= 2)
      if (amount & bit) at = digit.turned(IndexExpr::argument(0), digit.shift(bit), registers).evaluate({at});
  }
  return at;
}

struct Form {
  const char* name;
  IndexExpr index;
  std::int64_t registers;
};

class Rotations : public testing::TestWithParam<Form> {};

TEST_P(Rotations, TurnRegistersStepByStep) {
  const auto& [name, index, registers] = GetParam();
  const auto rotation = as_rotation(index, kJIsKnown, registers);
  ASSERT_TRUE(rotation.has_value());
  for (std::int64_t i = 0; i < registers; ++i) {
    ASSERT_TRUE(rotation->turns_registers({i, 0}, registers));
    for (std::int64_t t = 0; t < 32; ++t)
      EXPECT_EQ(by_steps(*rotation, {i, t}, registers), index.evaluate({i, t})) << "j = " << i << ", lane = " << t;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Rotations,
    testing::Values(
        Form{"Power", mod(sum(j(), lane()), 8), 8}, Form{"Multiple", mod(sum(scaled(j(), 2), lane()), 3), 3},
        Form{"Backwards", mod(difference(j(), lane()), 4), 4},
        Form{"Reversed", mod(difference(div(lane(), 2), j()), 16), 16},
        Form{"PositiveBackwards", mod(sum(difference(scaled(j(), 3), lane()), number(35)), 7), 7},
        Form{"WithinGroups", sum(IndexExpr::mask(j(), ~1), mod(sum(j(), div(lane(), 16)), 2)), 6},
        Form{"TwoDigits",
             sum(scaled(mod(sum(j(), lane()), 2), 3), mod(sum(difference(div(j(), 2), div(lane(), 2)), number(15)), 3)),
             6},
        Form{"LowDigitSecond",
             sum(scaled(mod(sum(scaled(j(), 2), div(lane(), 4)), 3), 4), mod(sum(div(j(), 3), lane()), 4)), 12},
        Form{"Flipped", flipped(j(), IndexExpr::mask(lane(), 7)), 8},
        Form{"FlippedByHigherBits", flipped(j(), div(lane(), 4)), 8},
        Form{"FlippedInABitAndAConstant", flipped(flipped(j(), IndexExpr::mask(lane(), 2)), number(5)), 8},
        Form{"FlippedByTwoTerms", flipped(flipped(div(j(), 2), IndexExpr::mask(lane(), 3)), div(lane(), 8)), 4},
        Form{"FlippedWithinGroups", flipped(j(), IndexExpr::mask(lane(), 3)), 12},
        Form{"OfOtherOperations", mod(sum(j(), mod(scaled(lane(), 5), 7)), 5), 5}),
    [](const auto& info) { return std::string(info.param.name); });

class NoRotations : public testing::TestWithParam<Form> {};

TEST_P(NoRotations, AreRefused) {
  const auto& [name, index, registers] = GetParam();
  const auto rotation = as_rotation(index, kJIsKnown, registers);
  bool turns = rotation.has_value();
  for (std::int64_t i = 0; turns && i < registers; ++i) turns = rotation->turns_registers({i, 0}, registers);
  EXPECT_FALSE(turns);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, NoRotations,
    testing::Values(Form{"OfTheThreadAlone", lane(), 32}, Form{"KnownAlone", mod(j(), 4), 4},
                    Form{"MixedInside", mod(sum(j(), mod(sum(j(), lane()), 3)), 4), 4},
                    Form{"FlippedMixedInside", flipped(j(), mod(sum(j(), lane()), 4)), 4},
                    Form{"FlippedInNoBit", flipped(j(), number(1)), 4},
                    Form{"FlippedOfAnOddNumber", flipped(j(), lane()), 5},
                    Form{"OtherModulus", mod(sum(j(), lane()), 3), 4},
                    Form{"ForwardsAndBackwards", mod(difference(sum(j(), lane()), div(lane(), 2)), 3), 3},
                    Form{"Carrying", sum(IndexExpr::mask(j(), 1), mod(sum(j(), lane()), 2)), 4},
                    Form{"OverlappingDigits", sum(scaled(mod(sum(j(), lane()), 2), 2), mod(sum(j(), lane()), 4)), 8}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Rotation, TellsWhatFlips) {
  const auto rotation = as_rotation(flipped(flipped(j(), div(lane(), 2)), number(1)), kJIsKnown, 12);
  ASSERT_TRUE(rotation);
  EXPECT_EQ(rotation->flipped.print(kNames), "lane >> 1");
  EXPECT_EQ(rotation->flips_below, 4);
  ASSERT_EQ(rotation->digits.size(), 2u);
  EXPECT_EQ(rotation->digits[1].turn.print(kNames), "lane >> 2");
}

TEST(Rotation, ReadsShort) {
  const auto shown = [](const IndexExpr& index, std::int64_t shift, std::int64_t registers) {
    return as_rotation(index, kJIsKnown, registers)->known(0, shift, iterations(registers)).print(kNames);
  };
  EXPECT_EQ(shown(mod(sum(scaled(j(), 2), lane()), 3), 0, 3), "j * 2 % 3");
  EXPECT_EQ(shown(mod(sum(scaled(j(), 2), lane()), 3), 2, 3), "(j * 2 + 2) % 3");
  EXPECT_EQ(shown(mod(sum(j(), lane()), 8), 0, 8), "j");
  EXPECT_EQ(shown(mod(difference(lane(), j()), 8), 4, 8), "(12 - j) & 7");
  EXPECT_EQ(shown(mod(sum(difference(div(j(), 2), lane()), number(30)), 3), 0, 6), "j >> 1");
}

}  // namespace
}  // namespace swizzle::rotation_test
