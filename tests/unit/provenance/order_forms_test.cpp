#include "synth/provenance/order_forms.h"

#include <algorithm>
#include <array>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "synth/program/intrinsics.h"
#include "synth/provenance/provenance.h"

namespace swizzle::order_forms_test {
namespace {

class OrderFormsOf : public testing::TestWithParam<Scalar> {
 protected:
  Scalar s() const { return GetParam(); }
  Value x(std::int64_t i) { return p_.input(BufferId(std::size_t{0}), i, s()); }
  Value z(std::int64_t i) { return p_.input(BufferId(std::size_t{1}), i, Scalar::kI32); }
  Value least(Value a, Value b) { return p_.normalize(p_.combine(Ring::kMin, s(), a, b)); }
  Value greatest(Value a, Value b) { return p_.normalize(p_.combine(Ring::kMax, s(), a, b)); }
  Value less(Value a, Value b) { return p_.binary(Operator::kLt, s(), a, b); }
  Value alike(Value a, Value b) { return p_.binary(Operator::kEq, s(), a, b); }
  Value both(Value a, Value b) { return p_.binary(Operator::kLogicalAnd, Scalar::kBool, a, b); }
  Value either(Value a, Value b) { return p_.binary(Operator::kLogicalOr, Scalar::kBool, a, b); }
  Value select(Value c, Value a, Value b) { return p_.normalize(p_.select(c, a, b, Scalar::kI32)); }

  struct Best {
    Value key, at;
  };
  Best only(int i) { return {x(i), Value::integer(i)}; }
  // The one that stands first, of those with the greatest key.
  Best first(Best a, Best b) { return {greatest(a.key, b.key), select(less(a.key, b.key), b.at, a.at)}; }
  // The one with the lesser number, likewise.
  Best lesser(Best a, Best b) {
    const Value tie = p_.binary(Operator::kLt, Scalar::kI32, b.at, a.at);
    return {greatest(a.key, b.key), select(either(less(a.key, b.key), both(alike(a.key, b.key), tie)), b.at, a.at)};
  }

  Provenance p_;
};

TEST_P(OrderFormsOf, MinimaOfMaximaHaveOneForm) {
  EXPECT_EQ(least(greatest(x(0), x(1)), x(2)), greatest(least(x(0), x(2)), least(x(1), x(2))));
  EXPECT_EQ(greatest(x(0), least(x(0), x(1))), x(0));
  EXPECT_EQ(least(greatest(x(0), x(1)), greatest(x(0), greatest(x(1), x(2)))), greatest(x(0), x(1)));
  EXPECT_NE(least(greatest(x(0), x(1)), x(2)), greatest(least(x(0), x(1)), x(2)));
}

// The greatest since the last head: by doubling, and in turn.
TEST_P(OrderFormsOf, SegmentedMaximaHaveOneForm) {
  constexpr int kCount = 8;
  const auto chosen = [&](Value c, Value a, Value b) { return p_.normalize(p_.select(c, a, b, s())); };
  const auto is_zero = [&](Value v) { return p_.binary(Operator::kEq, Scalar::kI32, v, Value::integer(0)); };
  std::vector<Value> v, begun;
  for (int i = 0; i < kCount; ++i) v.push_back(x(i)), begun.push_back(z(i));
  for (int d = 1; d < kCount; d *= 2) {
    const std::vector<Value> before = v, heads = begun;
    for (int i = d; i < kCount; ++i) {
      v[i] = chosen(is_zero(heads[i]), greatest(before[i], before[i - d]), before[i]);
      begun[i] = p_.normalize(p_.combine(Ring::kOr, Scalar::kI32, heads[i], heads[i - d]));
    }
  }
  const Value least_of_all = s() == Scalar::kI32 ? Value::integer(-2147483648) : x(99);
  Value in_turn = x(0), from_least = least_of_all;
  for (int i = 0; i < kCount; ++i) {
    from_least = chosen(is_zero(z(i)), from_least, least_of_all);
    from_least = greatest(from_least, x(i));
    if (s() == Scalar::kI32) EXPECT_EQ(v[i], from_least) << i;
    if (i > 0)
      in_turn = chosen(p_.binary(Operator::kNe, Scalar::kI32, z(i), Value::integer(0)), x(i), greatest(in_turn, x(i)));
    EXPECT_EQ(v[i], in_turn) << i;
  }
  EXPECT_NE(chosen(is_zero(z(1)), greatest(x(0), x(1)), x(1)), chosen(is_zero(z(1)), greatest(x(0), x(1)), x(0)));
  EXPECT_NE(chosen(is_zero(z(1)), greatest(x(0), x(1)), x(1)), chosen(is_zero(z(2)), greatest(x(0), x(1)), x(1)));
}

// The greatest two of those before, in turn: which is which is known of them.
TEST_P(OrderFormsOf, ChoicesByWhatTheyChooseAmongAreMinimaAndMaxima) {
  const auto chosen = [&](Value c, Value a, Value b) { return p_.normalize(p_.select(c, a, b, s())); };
  Value most = greatest(x(0), x(1)), next = least(x(0), x(1)), by_turns = most, behind = next;
  for (int i = 2; i < 8; ++i) {
    const Value passes = less(by_turns, x(i));
    behind = chosen(passes, by_turns, chosen(less(behind, x(i)), x(i), behind));
    by_turns = chosen(passes, x(i), by_turns);
    next = greatest(least(most, x(i)), next);
    most = greatest(most, x(i));
    EXPECT_EQ(behind, next) << i;
    EXPECT_EQ(by_turns, most) << i;
  }
  // Nothing says that x[2] is no greater than x[0].
  EXPECT_NE(chosen(less(x(0), x(1)), x(0), greatest(x(1), x(2))), greatest(least(x(0), x(1)), x(2)));
}

// Of random minima, maxima and choices, those that are one node have one value, whatever the data are; and those that
// have one value are one node.
TEST_P(OrderFormsOf, ChoicesBetweenExtremaAreTold) {
  constexpr int kValues = 3, kConditions = 2, kCases = 27 * 4, kMade = 400;
  using Results = std::array<std::int8_t, kCases>;
  std::vector<std::pair<Value, Results>> made;
  for (int v = 0; v < kValues; ++v) {
    Results of{};
    for (int at = 0, power = v == 0 ? 1 : v == 1 ? 3 : 9; at < kCases; ++at)
      of[at] = static_cast<std::int8_t>(at / power % 3);
    made.emplace_back(x(v), of);
  }
  std::mt19937 random(5);
  const auto any = [&] { return made[random() % made.size()]; };
  while (made.size() < kMade) {
    const auto [a, of_a] = any();
    const auto [b, of_b] = any();
    const std::uint32_t kind = random() % 4, c = random() % kConditions;
    Results of{};
    for (int at = 0; at < kCases; ++at) {
      const bool holds = at / (27 << c) % 2 != 0;
      of[at] = kind == 0   ? std::min(of_a[at], of_b[at])
               : kind == 1 ? std::max(of_a[at], of_b[at])
               : holds     ? of_a[at]
                           : of_b[at];
    }
    const Value condition = p_.binary(Operator::kEq, Scalar::kI32, z(c), Value::integer(0));
    made.emplace_back(kind == 0   ? least(a, b)
                      : kind == 1 ? greatest(a, b)
                                  : p_.normalize(p_.select(condition, a, b, s())),
                      of);
  }
  int alike = 0;
  for (const auto& [a, of_a] : made)
    for (const auto& [b, of_b] : made) {
      if (a == b) EXPECT_EQ(of_a, of_b) << p_.describe(a, {"x", "z"});
      alike += of_a == of_b && !(a == b) ? 1 : 0;
    }
  EXPECT_EQ(alike, 0);
}

// Two networks that sort five, and the greatest but one found in turn.
TEST_P(OrderFormsOf, SortedIsSorted) {
  const auto exchange = [&](std::vector<Value>& v, std::size_t a, std::size_t b) {
    const Value low = least(v[a], v[b]), high = greatest(v[a], v[b]);
    v[a] = low, v[b] = high;
  };
  std::vector<Value> bubble, other;
  for (int i = 0; i < 5; ++i) bubble.push_back(x(i)), other.push_back(x(4 - i));
  for (std::size_t end = 4; end > 0; --end)
    for (std::size_t i = 0; i < end; ++i) exchange(bubble, i, i + 1);
  for (const auto& [a, b] : {std::pair{0, 1}, {3, 4}, {2, 4}, {2, 3}, {1, 4}, {0, 3}, {0, 2}, {1, 3}, {1, 2}})
    exchange(other, static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  EXPECT_EQ(bubble, other);
  Value most = x(0), second = least(x(0), x(1));
  most = greatest(x(0), x(1));
  for (int i = 2; i < 5; ++i) second = greatest(second, least(most, x(i))), most = greatest(most, x(i));
  EXPECT_EQ(second, bubble[3]);
}

TEST_P(OrderFormsOf, LessOrAlikeIsNotMore) {
  const Value not_more = p_.binary(Operator::kLe, s(), x(0), x(1));
  EXPECT_EQ(either(less(x(0), x(1)), alike(x(1), x(0))), not_more);
  EXPECT_EQ(either(alike(x(0), x(1)), less(x(0), x(1))), not_more);
  EXPECT_EQ(alike(x(1), x(0)), alike(x(0), x(1)));
}

TEST_P(OrderFormsOf, WhatIsNeverNegativePassesZero) {
  if (!is_real(s())) return;
  const Value size = p_.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(Intrinsic::kAbs), s(), {x(0)});
  EXPECT_EQ(greatest(Value::real(0), greatest(size, x(1))), greatest(size, x(1)));
  EXPECT_NE(greatest(Value::real(1), size), size);
  EXPECT_NE(least(Value::real(0), size), size);
}

TEST_P(OrderFormsOf, TheLeastOfNothingIsComparedAsAnyOther) {
  const Value none = p_.from_terms(Ring::kMin, s(), {});
  EXPECT_TRUE(alike(x(0), none).is_node());
  EXPECT_EQ(alike(x(0), none), alike(none, x(0)));
}

// A number may be a key, and is not the element whose node has its bits.
TEST_P(OrderFormsOf, ABoundIsAKeyOfItsOwn) {
  const Value zero = is_real(s()) ? Value::real(0) : Value::integer(0);
  const Value first = p_.input(BufferId(std::size_t{5}), 0, s());
  EXPECT_NE(select(less(zero, first), first, x(1)), first);
  EXPECT_NE(select(less(zero, first), first, x(1)), x(1));
}

TEST_P(OrderFormsOf, WhereTheGreatestIsHasOneForm) {
  const Best in_turn = first(first(first(only(0), only(1)), only(2)), only(3));
  const Best in_pairs = first(first(only(0), only(1)), first(only(2), only(3)));
  const Best by_number = lesser(lesser(only(3), only(1)), lesser(only(2), only(0)));
  EXPECT_EQ(in_turn.at, in_pairs.at);
  EXPECT_EQ(in_turn.at, by_number.at);
  const Best last = first(first(only(3), only(2)), first(only(1), only(0)));
  EXPECT_NE(in_turn.at, last.at);  // of two that are alike it takes the last
  EXPECT_NE(in_turn.at, first(first(only(0), only(2)), first(only(1), only(3))).at);
}

// -1 stands before 0, also where a sum holds it as 4294967295.
TEST_P(OrderFormsOf, TiesAreToldAsTheirConditionComparesThem) {
  const Best none{x(0), Value::integer(-1)}, zero{x(1), Value::integer(0)}, one{x(2), Value::integer(1)};
  const Best by_number = lesser(lesser(zero, none), one);
  EXPECT_EQ(by_number.at, first(first(none, zero), one).at);
  EXPECT_NE(by_number.at, first(first(zero, one), none).at);
}

// a < b ? p : a == b ? min(p, q) : q, and with q in front of the last.
TEST_P(OrderFormsOf, ATieMayBeToldInAThirdArm) {
  const Best a = lesser(only(0), only(3)), b = lesser(only(1), only(2)), whole = lesser(a, b);
  const Value smaller = p_.combine(Ring::kMin, Scalar::kI32, a.at, b.at);
  EXPECT_EQ(select(less(a.key, b.key), b.at, select(alike(a.key, b.key), smaller, a.at)), whole.at);
  const Value tie = p_.binary(Operator::kLt, Scalar::kI32, b.at, a.at);
  EXPECT_EQ(select(less(a.key, b.key), b.at, select(both(alike(a.key, b.key), tie), b.at, a.at)), whole.at);
}

// Of random trees, forms are one where the functions are the same on all inputs of three values, ties among them.
TEST_P(OrderFormsOf, IsWhatAllInputsSay) {
  constexpr int kLeaves = 4, kInputs = 81;
  std::mt19937 random(static_cast<unsigned>(s()));
  const auto key_in = [](int input, int leaf) {
    for (; leaf > 0; --leaf) input /= 3;
    return input % 3;
  };
  struct Tree {
    Best best;
    std::vector<int> order;  // of leaves: the first of the greatest is it
  };
  std::vector<Tree> trees;
  for (int t = 0; t < 60; ++t) {
    std::vector<Tree> parts;
    for (int i = 0; i < kLeaves; ++i) parts.push_back({only(i), {i}});
    std::ranges::shuffle(parts, random);
    while (parts.size() > 1) {
      const std::size_t at = random() % (parts.size() - 1);
      Tree& a = parts[at];
      const Tree b = parts[at + 1];
      a.best = first(a.best, b.best);
      a.order.insert(a.order.end(), b.order.begin(), b.order.end());
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    trees.push_back(parts[0]);
  }
  const auto chosen = [&](const Tree& t, int input) {
    int best = t.order[0];
    for (int leaf : t.order)
      if (key_in(input, leaf) > key_in(input, best)) best = leaf;
    return best;
  };
  for (const Tree& a : trees)
    for (const Tree& b : trees) {
      bool same = true;
      for (int input = 0; input < kInputs; ++input) same = same && chosen(a, input) == chosen(b, input);
      ASSERT_EQ(a.best.at == b.best.at, same);
    }
}

INSTANTIATE_TEST_SUITE_P(Types, OrderFormsOf, testing::Values(Scalar::kI32, Scalar::kU32, Scalar::kF32, Scalar::kI64),
                         [](const auto& i) { return "type" + std::to_string(static_cast<int>(i.param)); });

}  // namespace
}  // namespace swizzle::order_forms_test
