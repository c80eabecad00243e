#include "synth/provenance/indicators.h"

#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "synth/provenance/concrete.h"

namespace swizzle::indicators_test {
namespace {

class Indicators : public testing::TestWithParam<Scalar> {
 protected:
  Scalar s() const { return GetParam(); }
  Value x(std::int64_t i) { return p_.input(BufferId(std::size_t{0}), i, s()); }
  Value z(std::int64_t i) { return p_.input(BufferId(std::size_t{1}), i, s()); }
  Value number(int n) const { return is_real(s()) ? Value::real(n) : Value::integer(wrap(s(), n)); }
  Value compare(Operator op, Value a, Value b) { return p_.binary(op, s(), a, b); }
  Value both(Value a, Value b) { return p_.binary(Operator::kLogicalAnd, Scalar::kBool, a, b); }
  Value either(Value a, Value b) { return p_.binary(Operator::kLogicalOr, Scalar::kBool, a, b); }
  Value denied(Value a) { return p_.unary(Operator::kLogicalNot, Scalar::kBool, a); }
  Value as_number(Value c) { return p_.convert(c, Scalar::kBool, s()); }
  Value as_int(Value c) { return p_.convert(c, Scalar::kBool, Scalar::kI32); }
  Value sum(Value a, Value b) { return p_.binary(Operator::kAdd, s(), a, b); }
  Value product(Value a, Value b) { return p_.binary(Operator::kMul, s(), a, b); }
  void expect_same(Value a, Value b) { EXPECT_EQ(p_.normalize(a), p_.normalize(b)); }

  Provenance p_;
};

TEST_P(Indicators, AChoiceIsASum) {
  const Value c = compare(Operator::kLt, x(0), z(0)), chosen = p_.select(c, x(1), z(1));
  expect_same(chosen, sum(z(1), product(as_number(c), p_.binary(Operator::kSub, s(), x(1), z(1)))));
  expect_same(chosen, p_.select(compare(Operator::kLe, z(0), x(0)), z(1), x(1)));
  expect_same(chosen, p_.select(denied(c), z(1), x(1)));
  expect_same(p_.select(c, chosen, x(2)), p_.select(c, x(1), x(2)));
  expect_same(sum(p_.select(c, x(1), number(0)), p_.select(c, number(0), z(1))), chosen);
}

TEST_P(Indicators, ConditionsMeet) {
  const Value c = compare(Operator::kLt, x(0), z(0)), d = compare(Operator::kEq, x(1), number(3));
  expect_same(p_.select(both(c, d), x(1), z(1)), p_.select(d, p_.select(c, x(1), z(1)), z(1)));
  expect_same(p_.select(either(c, d), x(1), z(1)), p_.select(both(denied(d), denied(c)), z(1), x(1)));
  expect_same(compare(Operator::kEq, x(1), z(2)), compare(Operator::kEq, z(2), x(1)));
}

TEST_P(Indicators, OrdersExcludeEachOther) {
  const Value less = compare(Operator::kLt, x(0), z(0)), more = compare(Operator::kLt, z(0), x(0));
  expect_same(product(as_number(less), as_number(more)), number(0));
  expect_same(p_.select(less, number(1), p_.select(more, number(-1), number(0), s()), s()),
              p_.binary(Operator::kSub, s(), as_number(less), as_number(more)));
}

TEST_P(Indicators, ATruthThatWasANumberIsItself) {
  const Value c = compare(Operator::kLt, x(0), z(0)), d = compare(Operator::kLt, x(1), number(3));
  const auto is_not_0 = [&](Value v) { return p_.binary(Operator::kNe, Scalar::kI32, v, Value::integer(0)); };
  for (const Value truth : {c, denied(c), both(c, d), either(c, denied(d))}) {
    expect_same(p_.select(is_not_0(as_int(truth)), x(2), z(2)), p_.select(truth, x(2), z(2)));
    expect_same(p_.convert(as_int(truth), Scalar::kI32, s()), as_number(truth));
  }
  const Value differ = p_.binary(Operator::kXor, Scalar::kI32, as_int(c), as_int(d));
  expect_same(differ, as_int(p_.binary(Operator::kNe, Scalar::kI32, as_int(d), as_int(c))));
  expect_same(differ, as_int(either(both(c, denied(d)), both(d, denied(c)))));
}

// Neither a | b nor the greater of two without a sign is 0 unless both are.
TEST_P(Indicators, OfAllThatAre0AreAProduct) {
  const auto flag = [&](std::int64_t i) { return p_.input(BufferId(std::size_t{2}), i, Scalar::kU32); };
  const auto is_0 = [&](Value v) { return p_.binary(Operator::kEq, Scalar::kU32, v, Value::integer(0)); };
  const Value each = p_.select(is_0(flag(0)), p_.select(is_0(flag(1)), x(0), z(0)), z(0));
  for (const Ring ring : {Ring::kOr, Ring::kMax}) {
    const Value both_flags = p_.combine(ring, Scalar::kU32, flag(0), flag(1));
    expect_same(p_.select(is_0(both_flags), x(0), z(0)), each);
    expect_same(p_.select(is_0(p_.combine(ring, Scalar::kU32, both_flags, Value::integer(4))), x(0), z(0)), z(0));
  }
  const Value signed_flags = p_.combine(Ring::kMax, Scalar::kI32, p_.input(BufferId(std::size_t{3}), 0, Scalar::kI32),
                                        p_.input(BufferId(std::size_t{3}), 1, Scalar::kI32));
  const Value is_none = p_.binary(Operator::kEq, Scalar::kI32, signed_flags, Value::integer(0));
  EXPECT_EQ(p_.normalize(as_number(is_none)).kind, Value::Kind::kNode);
  EXPECT_TRUE(is_indicator(p_.node(p_.normalize(as_number(is_none))))) << "1 and -1 may be the greater";
}

// … of arms that the condition tells more about, too: where x is 0, x + z is z.
TEST_P(Indicators, WhatIsChosenIsComparedArmByArm) {
  const auto is = [&](Value v, int n) { return compare(Operator::kEq, v, number(n)); };
  const auto expect_both = [&](Value a, Value b) { expect_same(as_number(a), as_number(b)); };
  const Value c = compare(Operator::kLt, x(0), z(0));
  expect_both(is(p_.select(c, x(1), z(1), s()), 3), either(both(c, is(x(1), 3)), both(denied(c), is(z(1), 3))));
  Value first = z(0), none = is(z(0), 0);
  for (int i = 0; i < 12; ++i) {
    first = p_.select(is(first, 0), x(i), first, s());
    none = both(none, is(x(i), 0));
  }
  expect_both(is(first, 0), none);
  expect_same(p_.select(is(first, 0), first, number(0), s()), number(0));
}

TEST_P(Indicators, WhatIsClippedIsItsBoundOrWhatItWas) {
  const Value least = p_.normalize(p_.combine(Ring::kMin, s(), x(0), number(5))),
              most = p_.normalize(p_.combine(Ring::kMax, s(), x(0), number(5)));
  const auto expect_is = [&](Value v, int n, Value condition) {
    expect_same(as_number(compare(Operator::kEq, v, number(n))), as_number(condition));
  };
  expect_is(least, 5, compare(Operator::kLe, number(5), x(0)));
  expect_is(most, 5, compare(Operator::kLe, x(0), number(5)));
  expect_is(least, 3, compare(Operator::kEq, x(0), number(3)));
  expect_is(most, 7, compare(Operator::kEq, x(0), number(7)));
  expect_same(as_number(compare(Operator::kEq, least, number(6))), number(0));
  expect_same(as_number(compare(Operator::kEq, most, number(4))), number(0));
}

TEST_P(Indicators, NothingIsLessThanItself) {
  EXPECT_EQ(truth(compare(Operator::kLt, x(0), x(0))), false);
  EXPECT_EQ(truth(compare(Operator::kLe, x(0), x(0))), true);
}

TEST_P(Indicators, SayNothingOfNumbersThatSwallowOthers) {
  if (!is_real(s())) return;
  const Value c = compare(Operator::kLt, x(0), z(0)), chosen = p_.select(c, x(1), Value::real(-1e30));
  EXPECT_EQ(p_.node(chosen).tag, kOpaqueSelect);
}

// Whatever its form is, a value is what it was made of.
TEST_P(Indicators, KeepValues) {
  std::mt19937 random(static_cast<unsigned>(s()) + 7);
  const auto below = [&](unsigned n) { return random() % n; };
  using Number = long double;  // products of two words fit
  using Evaluated = std::function<Number(const std::vector<Number>&)>;
  using Made = std::pair<Value, Evaluated>;
  const auto wrapped = [&](Number v) {
    return is_real(s()) ? v : static_cast<Number>(wrap(s(), static_cast<std::int64_t>(v)));
  };
  std::function<Made(int)> condition;
  const std::function<Made(int)> value = [&](int depth) -> Made {
    if (depth == 0 || below(5) == 0) {
      const unsigned i = below(4);
      if (i == 3) {
        const int n = static_cast<int>(below(4));
        return {number(n), [n](const auto&) { return n; }};
      }
      return {i == 2 ? z(0) : x(i), [i](const auto& in) { return in[i]; }};
    }
    if (below(2) == 0) {
      const auto c = condition(depth - 1), a = value(depth - 1), b = value(depth - 1);
      return {p_.select(c.first, a.first, b.first, s()),
              [=](const auto& in) { return c.second(in) != 0 ? a.second(in) : b.second(in); }};
    }
    if (below(3) == 0) {
      const auto c = condition(depth - 1);
      return {as_number(c.first), c.second};
    }
    const auto a = value(depth - 1), b = value(depth - 1);
    if (below(4) == 0) {
      const Ring ring = below(2) == 0 ? Ring::kMin : Ring::kMax;
      return {p_.normalize(p_.combine(ring, s(), a.first, b.first)), [=](const auto& in) {
                return ring == Ring::kMin ? std::min(a.second(in), b.second(in)) : std::max(a.second(in), b.second(in));
              }};
    }
    if (below(2) == 0)
      return {sum(a.first, b.first), [=](const auto& in) { return wrapped(a.second(in) + b.second(in)); }};
    return {product(a.first, b.first), [=](const auto& in) { return wrapped(a.second(in) * b.second(in)); }};
  };
  condition = [&](int depth) -> Made {
    const unsigned kind = below(depth == 0 ? 2 : 6);
    if (kind < 2) {
      const auto op = static_cast<Operator>(static_cast<unsigned>(Operator::kLt) + below(6));
      const auto a = value(std::max(0, depth - 1)), b = value(std::max(0, depth - 1));
      return {compare(op, a.first, b.first), [=](const auto& in) {
                const Number l = a.second(in), r = b.second(in);
                const bool holds[] = {l<r, l <= r, l> r, l >= r, l == r, l != r};
                return Number(holds[static_cast<int>(op) - static_cast<int>(Operator::kLt)]);
              }};
    }
    const auto a = condition(depth - 1), b = condition(depth - 1);
    if (kind == 2) return {denied(a.first), [=](const auto& in) { return Number(a.second(in) == 0); }};
    if (kind == 3)
      return {both(a.first, b.first), [=](const auto& in) { return Number(a.second(in) != 0 && b.second(in) != 0); }};
    if (kind == 4)
      return {either(a.first, b.first), [=](const auto& in) { return Number(a.second(in) != 0 || b.second(in) != 0); }};
    const Operator op = std::array{Operator::kXor, Operator::kNe, Operator::kEq}[below(3)];
    const Value as_one = p_.binary(op, Scalar::kI32, as_int(a.first), as_int(b.first));
    return {op == Operator::kXor ? p_.binary(Operator::kNe, Scalar::kI32, as_one, Value::integer(0)) : as_one,
            [=](const auto& in) { return Number((a.second(in) != b.second(in)) == (op != Operator::kEq)); }};
  };
  int compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto [made, evaluated] = value(3);
    Concrete concrete(p_);
    concrete.start(static_cast<std::uint64_t>(s() == Scalar::kI64 ? 3 * round + 1 : round));  // small numbers then
    const auto at = [&](Value v) -> std::optional<Number> {
      if (is_real(s())) return concrete.real(v);
      const auto n = concrete.integer(v);
      return n ? std::optional<Number>(static_cast<Number>(*n)) : std::nullopt;
    };
    const Value normal = p_.normalize(made);
    const auto got = normal.is_node() || is_real(s()) ? at(normal) : std::optional<Number>(normal.as_real());
    if (!got) continue;  // numbers that are too close to be told apart
    const Number wanted = evaluated({*at(x(0)), *at(x(1)), *at(z(0))});
    ++compared;
    if (is_real(s())) EXPECT_NEAR(*got, wanted, 1e-6 * (1 + std::abs(wanted))) << round;
    else EXPECT_EQ(wrapped(*got), wanted) << round;
  }
  EXPECT_GT(compared, 1000);
}

// (unsigned)k < n is 0 <= k && k < n of an int k, and no more than itself of an unsigned one.
TEST(IndicatorsWithoutSign, AreTwoOfNumbersWithOne) {
  Provenance p;
  const auto compare = [&](Operator op, Scalar s, Value a, Value b) { return p.normalize(p.binary(op, s, a, b)); };
  const auto both = [&](Value a, Value b) { return p.normalize(p.binary(Operator::kLogicalAnd, Scalar::kBool, a, b)); };
  const auto number = [](std::int64_t n) { return Value::integer(n); };
  const Value input = p.input(BufferId(std::size_t{0}), 0, Scalar::kI32);
  const Value sum = p.binary(Operator::kSub, Scalar::kI32, input, number(5));
  for (const Value k : {input, sum}) {
    const Value within =
        both(compare(Operator::kLe, Scalar::kI32, number(0), k), compare(Operator::kLt, Scalar::kI32, k, number(10)));
    EXPECT_EQ(compare(Operator::kLt, Scalar::kU32, k, number(10)), within);
    EXPECT_EQ(compare(Operator::kGt, Scalar::kU32, number(10), k), within);
    EXPECT_EQ(compare(Operator::kGe, Scalar::kU32, k, number(10)),
              p.normalize(p.unary(Operator::kLogicalNot, Scalar::kBool, within)));
    EXPECT_EQ(compare(Operator::kLe, Scalar::kU32, number(10), k), compare(Operator::kGe, Scalar::kU32, k, number(10)));
    EXPECT_EQ(
        compare(Operator::kLe, Scalar::kU32, k, number(9)),
        both(compare(Operator::kLe, Scalar::kI32, number(0), k), compare(Operator::kLe, Scalar::kI32, k, number(9))));
  }
  const Value word = p.input(BufferId(std::size_t{1}), 0, Scalar::kU32);
  EXPECT_TRUE(p.node(compare(Operator::kLt, Scalar::kU32, word, number(10))).is(Operator::kLt));
  EXPECT_TRUE(p.node(compare(Operator::kLt, Scalar::kU32, input, number(3'000'000'000))).is(Operator::kLt));
}

INSTANTIATE_TEST_SUITE_P(OfEachType, Indicators,
                         testing::Values(Scalar::kI32, Scalar::kU8, Scalar::kI64, Scalar::kF32, Scalar::kF64));

}  // namespace
}  // namespace swizzle::indicators_test
