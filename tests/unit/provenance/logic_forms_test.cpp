#include "synth/provenance/logic_forms.h"

#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "synth/provenance/provenance.h"

namespace swizzle::logic_forms_test {
namespace {

class LogicFormsOf : public testing::TestWithParam<Scalar> {
 protected:
  Value x(std::int64_t i) { return p_.input(BufferId(std::size_t{0}), i, GetParam()); }
  Value apply(Operator op, Value a, Value b) { return p_.normalize(p_.binary(op, GetParam(), a, b)); }
  Value both(Value a, Value b) { return apply(Operator::kAnd, a, b); }
  Value either(Value a, Value b) { return apply(Operator::kOr, a, b); }
  Value one(Value a, Value b) { return apply(Operator::kXor, a, b); }

  Provenance p_;
};

TEST_P(LogicFormsOf, WhatOneTakesInIsLeftOut) {
  const Value v = either(x(0), both(one(x(0), x(1)), x(2)));
  EXPECT_EQ(v, either(x(0), both(x(1), either(both(x(2), x(2)), both(x(2), x(0))))));
  EXPECT_NE(v, either(x(0), both(x(1), x(3))));
}

// The carries of an addition, one after the other and by groups of four.
TEST_P(LogicFormsOf, CarriesAreTheSameHoweverTheyAreGrouped) {
  const auto generated = [&](std::int64_t i) { return both(x(2 * i), x(2 * i + 1)); };
  const auto passed = [&](std::int64_t i) { return either(x(2 * i), x(2 * i + 1)); };
  Value carry = generated(0);
  for (std::int64_t i = 1; i < 8; ++i) carry = either(generated(i), both(passed(i), carry));
  struct Group {
    Value generated, passed;
  };
  const std::function<Group(std::int64_t, std::int64_t)> group = [&](std::int64_t from, std::int64_t to) -> Group {
    if (to - from == 1) return {generated(from), passed(from)};
    const Group low = group(from, (from + to) / 2), high = group((from + to) / 2, to);
    return {either(high.generated, both(high.passed, low.generated)), both(high.passed, low.passed)};
  };
  EXPECT_EQ(group(0, 8).generated, carry);
  EXPECT_NE(group(0, 7).generated, carry);
}

// Random functions of four words and a mask: no two that differ somewhere have one form.
TEST_P(LogicFormsOf, EqualFormsAreEqualWords) {
  std::mt19937 random(7);
  constexpr std::array<Operator, 3> kOperators{Operator::kAnd, Operator::kOr, Operator::kXor};
  using Truths = std::array<std::int64_t, 16>;  // by the truths of the four: all bits alike, but for the mask
  struct Made {
    Value value;
    Truths truths;
  };
  std::vector<Made> made;
  for (std::int64_t i = 0; i < 4; ++i) {
    Truths truths{};
    for (std::size_t t = 0; t < truths.size(); ++t) truths[t] = (t >> i) & 1 ? wrap(GetParam(), -1) : 0;
    made.push_back({x(i), truths});
  }
  Truths mask;
  mask.fill(6);
  made.push_back({Value::integer(6), mask});
  for (int n = 0; n < 400; ++n) {
    const Made a = made[random() % made.size()], b = made[random() % made.size()];
    const Operator op = kOperators[random() % kOperators.size()];
    if (!a.value.is_node() && !b.value.is_node()) continue;
    Made all{apply(op, a.value, b.value), {}};
    for (std::size_t t = 0; t < all.truths.size(); ++t)
      all.truths[t] = wrap(GetParam(), op == Operator::kAnd  ? a.truths[t] & b.truths[t]
                                       : op == Operator::kOr ? a.truths[t] | b.truths[t]
                                                             : a.truths[t] ^ b.truths[t]);
    made.push_back(all);
  }
  std::size_t alike = 0;
  for (std::size_t i = 0; i < made.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (made[i].value != made[j].value) continue;
      ++alike;
      ASSERT_EQ(made[i].truths, made[j].truths) << i << " and " << j;
    }
  EXPECT_GT(alike, 0u);
}

INSTANTIATE_TEST_SUITE_P(Words, LogicFormsOf, testing::Values(Scalar::kU32, Scalar::kI32, Scalar::kU64),
                         [](const auto& i) { return "type" + std::to_string(static_cast<int>(i.param)); });

}  // namespace
}  // namespace swizzle::logic_forms_test
