#include "synth/program/argument_values.h"

#include <random>

#include <gtest/gtest.h>

namespace swizzle::argument_values_test {
namespace {

using E = IndexExpr;

const std::vector<std::string> kNames{"t", "k", "b"};

// t in 0 … 7, k in 0 … 2, b open.
ArgumentValues values() {
  ArgumentValues values;
  for (std::int64_t t = 0; t < 8; ++t) values.add(0, t);
  for (std::int64_t k = 2; k >= 0; --k) values.add(1, k);
  values.add(2, 0);
  values.open(2, {0, kAnyValue.most});
  return values;
}

std::string simplified(const E& e) { return values().simplified(e).print(kNames); }

E t() { return E::argument(0); }
E k() { return E::argument(1); }
E b() { return E::argument(2); }
E c(std::int64_t v) { return E::constant(v); }

TEST(ArgumentValues, TakeAwayReductionsThatReduceNothing) {
  EXPECT_EQ(simplified(E::mask(E::div(t(), 4), 7)), "t >> 2");
  EXPECT_EQ(simplified(E::mod(k(), 6)), "k");
  EXPECT_EQ(simplified(E::mod(E::div(t(), 2), 6)), "t >> 1");
  EXPECT_EQ(simplified(E::mask(E::mask(E::add(E::div(t(), 4), c(1)), 1), 7)), "((t >> 2) + 1) & 1");
  EXPECT_EQ(simplified(E::add(E::mask(t(), -4), E::mask(E::div(E::mask(t(), 3), 2), 3))), "(t & ~3) + ((t & 3) >> 1)");
}

TEST(ArgumentValues, KeepReductionsThatReduce) {
  EXPECT_EQ(simplified(E::mask(E::add(t(), k()), 7)), "(t + k) & 7");
  EXPECT_EQ(simplified(E::mod(E::add(t(), k()), 9)), "(t + k) % 9");
  EXPECT_EQ(simplified(E::mod(E::add(t(), k()), 10)), "t + k");
  EXPECT_EQ(simplified(E::mask(E::sub(t(), k()), 7)), "(t - k) & 7");
}

TEST(ArgumentValues, MoveWhatLiesBetweenTwoMultiples) {
  EXPECT_EQ(simplified(E::mask(E::add(t(), c(8)), 7)), "t");
  EXPECT_EQ(simplified(E::mod(E::sub(c(9), k()), 6)), "3 - k");
  EXPECT_EQ(simplified(E::mask(E::sub(E::mask(k(), 1), c(2)), 7)), "(k & 1) + 6");
}

TEST(ArgumentValues, FoldWhatHasOneValue) {
  EXPECT_EQ(simplified(E::div(t(), 8)), "0");
  EXPECT_EQ(simplified(E::mask(t(), -8)), "0");
  EXPECT_EQ(simplified(E::mask(E::mul(t(), 4), 3)), "0");
}

TEST(ArgumentValues, TakeAwayReductionsOfWhatIsReducedAgain) {
  EXPECT_EQ(simplified(E::mask(E::add(E::mask(t(), 3), k()), 3)), "(t + k) & 3");
  EXPECT_EQ(simplified(E::mask(E::sub(k(), E::mask(t(), 3)), 3)), "(k - t) & 3");
  EXPECT_EQ(simplified(E::mod(E::add(E::mod(t(), 6), k()), 3)), "(t + k) % 3");
  EXPECT_EQ(simplified(E::mod(E::add(E::sub(c(6), E::mod(t(), 6)), k()), 3)),
            "(6 - t % 6 + k) % 3");  // C's % truncates
}

TEST(ArgumentValues, LeaveOpenArgumentsAlone) {
  EXPECT_EQ(simplified(E::mask(b(), 7)), "b & 7");
  EXPECT_EQ(simplified(E::mask(E::mask(b(), 3), 7)), "b & 3");
  EXPECT_EQ(simplified(E::mod(b(), 6)), "b % 6");
}

TEST(ArgumentValues, KnowTheBoundsOfExpressions) {
  EXPECT_EQ(values().bounds(E::sub(t(), k())), (ValueBounds{-2, 7}));
  EXPECT_EQ(values().bounds(E::mul(E::sub(t(), k()), -3)), (ValueBounds{-21, 6}));
  EXPECT_EQ(values().bounds(E::bit_xor(t(), k())), (ValueBounds{0, 7}));
  EXPECT_TRUE(values().always_within(E::sub(E::add(t(), c(1)), E::div(t(), 2)), {1, 5}));
}

E random_expression(std::mt19937& random, int depth) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  if (depth == 0) return below(3) == 0 ? c(below(9) - 2) : E::argument(static_cast<std::size_t>(below(3)));
  E a = random_expression(random, depth - 1);
  constexpr int kModuli[] = {2, 3, 4, 6, 8};
  switch (below(7)) {
    case 0: return E::add(a, random_expression(random, depth - 1));
    case 1: return E::sub(a, random_expression(random, depth - 1));
    case 2: return E::mul(a, below(5) + 1);
    case 3: return E::div(a, kModuli[below(5)]);
    case 4: return E::mod(a, kModuli[below(5)]);
    case 5: return E::mask(a, below(2) == 0 ? below(16) : -(1 << below(4)));
    default: return E::bit_xor(a, random_expression(random, depth - 1));
  }
}

TEST(ArgumentValues, ChangeNoValueAndCostNoMore) {
  std::mt19937 random(7);
  for (int n = 0; n < 20'000; ++n) {
    const E e = random_expression(random, 4), simple = values().simplified(e);
    EXPECT_LE(simple.integer_ops(), e.integer_ops()) << e.print(kNames);
    for (std::int64_t t = 0; t < 8; ++t)
      for (std::int64_t k = 0; k < 3; ++k)
        for (const std::int64_t b : {0, 1, 5, 77})
          ASSERT_EQ(simple.evaluate({t, k, b}), e.evaluate({t, k, b}))
              << e.print(kNames) << " → " << simple.print(kNames);
  }
}

}  // namespace
}  // namespace swizzle::argument_values_test
