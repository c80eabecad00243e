#include "synth/provenance/orders.h"

#include <algorithm>
#include <array>
#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace swizzle::orders_test {
namespace {

class OrdersOf : public testing::TestWithParam<Scalar> {
 protected:
  Scalar s() const { return GetParam(); }
  Value x(std::int64_t i) { return p_.input(BufferId(std::size_t{0}), i, s()); }
  Value number(int v) { return is_real(s()) ? Value::real(v) : Value::integer(v); }
  Value of(Operator op, Value a, Value b) { return p_.binary(op, s(), a, b); }
  Value less(Value a, Value b) { return of(Operator::kLt, a, b); }
  Value least(Value a, Value b) { return p_.combine(Ring::kMin, s(), a, b); }
  Value greatest(Value a, Value b) { return p_.combine(Ring::kMax, s(), a, b); }
  // As it stands, in no form of its own.
  Value select(Value c, Value a, Value b) { return p_.opaque(kOpaqueSelect, s(), {c, a, b}); }
  bool alike(Value a, Value b) { return orders_.are_alike(p_, p_.normalize(a), p_.normalize(b)); }

  Provenance p_;
  Orders orders_;
};

TEST_P(OrdersOf, TellTheMedianOfThree) {
  const auto median = [&](Value a, Value b, Value c) { return greatest(least(a, b), least(greatest(a, b), c)); };
  const auto by_cases = [&](Value a, Value b, Value c) {
    return select(less(a, b), select(less(b, c), b, select(less(a, c), c, a)),
                  select(less(a, c), a, select(less(b, c), c, b)));
  };
  EXPECT_TRUE(alike(median(x(0), x(1), x(2)), by_cases(x(0), x(1), x(2))));
  EXPECT_TRUE(alike(median(x(0), x(1), x(2)), by_cases(x(2), x(0), x(1))));
  EXPECT_FALSE(alike(median(x(0), x(1), x(2)), by_cases(x(0), x(1), x(3))));
  EXPECT_FALSE(alike(greatest(x(0), least(x(1), x(2))), by_cases(x(0), x(1), x(2))));
}

TEST_P(OrdersOf, TellWhichConstantBounds) {
  const Value clipped = least(greatest(x(0), number(2)), number(9));
  const auto by_cases = [&](int low, int high) {
    return select(less(x(0), number(low)), number(low), select(less(number(high), x(0)), number(high), x(0)));
  };
  EXPECT_TRUE(alike(clipped, by_cases(2, 9)));
  EXPECT_FALSE(alike(clipped, by_cases(3, 9)));
  EXPECT_FALSE(alike(clipped, by_cases(2, 8)));
}

TEST_P(OrdersOf, TellSums) {
  const Value both = of(Operator::kAdd, x(0), x(1));
  EXPECT_TRUE(alike(of(Operator::kSub, both, select(less(x(0), x(1)), x(0), x(1))), greatest(x(0), x(1))));
  EXPECT_FALSE(alike(of(Operator::kSub, both, select(less(x(0), x(1)), x(0), x(1))), least(x(0), x(1))));
  EXPECT_FALSE(alike(of(Operator::kMul, x(0), x(1)), of(Operator::kMul, least(x(0), x(1)), greatest(x(0), x(1)))))
      << "true, and no sum";
}

TEST_P(OrdersOf, ComparedSumsAreNotTold) {
  EXPECT_FALSE(alike(select(less(of(Operator::kAdd, x(0), x(1)), x(2)), x(0), x(0)), x(0)));
}

// Beside 1e17 no double is one more; and of 1e17 + 1 nothing is left of the 1.
TEST(Orders, LargeConstantsHideNothing) {
  Provenance p;
  Orders orders;
  const Value x = p.input(BufferId(std::size_t{0}), 0, Scalar::kF64);
  for (const double large : {7e16, 1e17, 1e300}) {
    const Value above = p.binary(Operator::kLt, Scalar::kF64, Value::real(large), x);
    for (const Value other : {p.binary(Operator::kAdd, Scalar::kF64, x, Value::real(1)), Value::real(0)}) {
      const Value chosen = p.opaque(kOpaqueSelect, Scalar::kF64, {above, other, x});
      EXPECT_FALSE(orders.are_alike(p, p.normalize(chosen), x)) << large;
      EXPECT_FALSE(orders.are_alike(p, p.normalize(p.select(above, other, x)), x)) << large;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, OrdersOf, testing::Values(Scalar::kI32, Scalar::kU32, Scalar::kF32, Scalar::kI64),
                         [](const auto& info) { return "Type" + std::to_string(static_cast<int>(info.param)); });

class OrdersOfInts : public testing::TestWithParam<Scalar> {};

// Random values of up to three elements and two constants: alike where, and only where, all numbers of a larger range
// say so.
TEST_P(OrdersOfInts, AgreeWithEveryInput) {
  constexpr int kElements = 3, kMade = 120;
  const int low = is_unsigned(GetParam()) ? 0 : -4, high = low + 10;
  using Function = std::function<int(const std::array<int, kElements>&)>;
  Provenance p;
  Orders orders;
  std::mt19937 random(11);
  std::vector<std::pair<Value, Function>> made;
  for (int i = 0; i < kElements; ++i)
    made.emplace_back(p.convert(p.input(BufferId(std::size_t{0}), i, GetParam()), GetParam(), Scalar::kI32),
                      [i](const auto& x) { return x[i]; });
  for (const int constant : {1, -2})
    made.emplace_back(Value::integer(constant), [constant](const auto&) { return constant; });
  while (made.size() < kMade) {
    const auto any = [&] { return made[random() % made.size()]; };
    const auto [a, f] = any();
    const auto [b, g] = any();
    const auto [c, h] = any();
    const auto [d, k] = any();
    switch (random() % 4) {
      case 0:
        made.emplace_back(p.normalize(p.combine(Ring::kMin, Scalar::kI32, a, b)),
                          [f = f, g = g](const auto& x) { return std::min(f(x), g(x)); });
        break;
      case 1:
        made.emplace_back(p.normalize(p.combine(Ring::kMax, Scalar::kI32, a, b)),
                          [f = f, g = g](const auto& x) { return std::max(f(x), g(x)); });
        break;
      default: {
        const Operator op = std::array{Operator::kLt, Operator::kLe, Operator::kEq}[random() % 3];
        const Value condition = p.binary(op, Scalar::kI32, a, b);
        if (!condition.is_node()) continue;
        made.emplace_back(
            p.opaque(kOpaqueSelect, Scalar::kI32, {condition, c, d}), [=, f = f, g = g, h = h, k = k](const auto& x) {
              const int left = f(x), right = g(x);
              const bool is_alike = left == right, is_less = left < right;
              return (op == Operator::kEq ? is_alike : is_less || (op == Operator::kLe && is_alike)) ? h(x) : k(x);
            });
      }
    }
    if (!made.back().first.is_node()) made.pop_back();
  }
  const auto are_equal = [&](const Function& f, const Function& g) {
    for (int a = low; a < high; ++a)
      for (int b = low; b < high; ++b)
        for (int c = low; c < high; ++c)
          if (f({a, b, c}) != g({a, b, c})) return false;
    return true;
  };
  int alike = 0, compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto& [a, f] = made[random() % made.size()];
    const auto& [b, g] = made[random() % made.size()];
    const bool are = orders.are_alike(p, a, b);
    if (are) {
      EXPECT_TRUE(are_equal(f, g)) << p.describe(a, {"x"}) << " and " << p.describe(b, {"x"});
    }
    alike += are ? 1 : 0;
    compared += are_equal(f, g) ? 1 : 0;
  }
  EXPECT_GT(alike, 30);
  if (is_unsigned(GetParam())) return;  // of numbers that are not negative, more are equal than their order tells
  EXPECT_GT(10 * alike, 9 * compared) << "of " << compared << " that are equal, but for those that are too long";
}

INSTANTIATE_TEST_SUITE_P(Types, OrdersOfInts, testing::Values(Scalar::kI32, Scalar::kI16, Scalar::kI8, Scalar::kU8),
                         [](const auto& info) { return "Type" + std::to_string(static_cast<int>(info.param)); });

}  // namespace
}  // namespace swizzle::orders_test
