#include "emulation/elements.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace swizzle_harness::elements_test {
namespace {

template <typename T>
const unsigned char* bytes(const T& value) {
  return reinterpret_cast<const unsigned char*>(&value);
}

bool floats_agree(float initial, float expected, float got) {
  return agree(Element::kF32, bytes(initial), bytes(expected), bytes(got));
}

TEST(Elements, RealsMayDifferByRounding) {
  EXPECT_TRUE(floats_agree(9, 1, 1.000005f));
  EXPECT_FALSE(floats_agree(9, 1, 1.0001f));
  EXPECT_TRUE(floats_agree(9, 0, 5e-7f));
  EXPECT_FALSE(floats_agree(9, 0, 5e-6f));
}

TEST(Elements, IntegersMayNot) {
  const int initial = 9, expected = 100'000'000, got = 100'000'001;
  EXPECT_FALSE(agree(Element::kI32, bytes(initial), bytes(expected), bytes(got)));
  EXPECT_TRUE(agree(Element::kI32, bytes(initial), bytes(expected), bytes(expected)));
}

TEST(Elements, ANanThatWasComputedIsNotPoisonThatWasLeft) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  float poison;
  put_poison(Element::kF32, 5, reinterpret_cast<unsigned char*>(&poison));
  ASSERT_TRUE(std::isnan(poison));
  EXPECT_TRUE(floats_agree(0, nan, -nan));
  EXPECT_FALSE(floats_agree(poison, nan, poison));
}

TEST(Elements, PoisonTellsItsIndex) {
  float a, b;
  put_poison(Element::kF32, 5, reinterpret_cast<unsigned char*>(&a));
  put_poison(Element::kF32, 6, reinterpret_cast<unsigned char*>(&b));
  EXPECT_NE(std::memcmp(&a, &b, sizeof a), 0);
}

TEST(Elements, RandomRealsAreSmallAndWhole) {
  for (std::uint64_t random = 0; random < 100; ++random) {
    double value = 0;
    put_random(Element::kF64, random, reinterpret_cast<unsigned char*>(&value));
    EXPECT_EQ(value, std::round(value));
    EXPECT_LE(std::abs(value), 8);
  }
}

TEST(Elements, AreWrittenAsTheirTypeHasThem) {
  const std::int8_t small = -1;
  const std::uint64_t large = ~std::uint64_t{0};
  const std::uint16_t one = 0x3c00;  // of half
  EXPECT_EQ(text_of(Element::kI8, bytes(small)), "-1");
  EXPECT_EQ(text_of(Element::kU64, bytes(large)), "18446744073709551615");
  EXPECT_EQ(text_of(Element::kF16, bytes(one)), "1");
}

}  // namespace
}  // namespace swizzle_harness::elements_test
