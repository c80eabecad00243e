#include "synth/problem/functions_as_elements.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "synth/program/intrinsics.h"
#include "synth/provenance/concrete.h"
#include "synth/provenance/laws.h"

namespace swizzle::functions_as_elements_test {
namespace {

class FunctionsOf : public testing::TestWithParam<Scalar> {
 protected:
  Scalar s() const { return GetParam(); }
  Value x(std::int64_t i) { return p_.input(BufferId(std::size_t{0}), i, s()); }
  Value number(int v) const { return is_real(s()) ? Value::real(v) : Value::integer(wrap(s(), v)); }
  Value size(Value v) { return p_.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(Intrinsic::kAbs), s(), {v}); }
  Value sum(Value a, Value b) { return p_.normalize(p_.binary(Operator::kAdd, s(), a, b)); }
  Value product(Value a, Value b) { return p_.normalize(p_.binary(Operator::kMul, s(), a, b)); }
  // The right side of y[0] = v, as it becomes; and how many buffers there are then.
  Value changed(Value v) {
    Equation e;
    e.actual = e.expected = v;
    e.scalar = s();
    names_ = {"x", "y"};
    const auto out = with_functions_as_elements({e}, p_, names_);
    return out ? (*out)[0].expected : v;
  }

  Provenance p_;
  std::vector<std::string> names_;
};

TEST_P(FunctionsOf, ASumAreElements) {
  EXPECT_EQ(p_.describe(changed(sum(size(x(0)), product(number(3), size(x(1))))), names_), "3 * abs(x)[1] + abs(x)[0]");
  EXPECT_EQ(names_.back(), "abs(x)");
}

TEST_P(FunctionsOf, ElementsThatComeInOtherwiseStay) {
  const Value v = sum(x(0), sum(size(x(0)), size(x(1))));
  const std::string text = p_.describe(changed(v), names_);
  EXPECT_NE(text.find("abs(x[0])"), std::string::npos) << text;
  EXPECT_NE(text.find("abs(x)[1]"), std::string::npos) << text;
  const Value alone = sum(x(0), size(x(0)));
  EXPECT_EQ(changed(alone), alone);
}

TEST_P(FunctionsOf, AProductOfTwoStay) {
  const Value v = product(size(x(0)), size(x(1)));
  EXPECT_EQ(changed(v), v);
}

TEST_P(FunctionsOf, AConditionStay) {
  const Value less = p_.binary(Operator::kLt, s(), size(x(0)), number(3));
  const Value v = p_.select(less, x(1), number(0), s());
  EXPECT_EQ(changed(v), v);
}

// x - x as another operation has it: no coefficient is told by it.
TEST_P(FunctionsOf, OneValueStay) {
  if (is_real(s())) return;
  const Value none = p_.opaque(static_cast<std::uint32_t>(Operator::kRem), s(), {x(0), number(1)});
  EXPECT_EQ(changed(none), none);
  const Value even = p_.opaque(static_cast<std::uint32_t>(Operator::kShl), s(), {x(0), number(1)});
  EXPECT_EQ(changed(even), even) << "2^31 times it is 0";
}

// Random sums: those that have one form then are equal, and those that have not differ on some input.
TEST_P(FunctionsOf, ChangeNothingThatIsEqual) {
  std::mt19937 random(static_cast<unsigned>(s()) + 1);
  const auto below = [&](unsigned n) { return random() % n; };
  const auto any = [&](std::int64_t i) {
    const Value v = x(i);
    switch (below(is_real(s()) ? 2 : 5)) {
      case 0: return v;
      case 1: return size(v);
      case 2: return p_.normalize(p_.binary(Operator::kXor, s(), v, number(5)));
      case 3: return p_.normalize(p_.binary(Operator::kDiv, s(), v, number(3)));
      default: return p_.normalize(p_.combine(Ring::kMax, s(), v, number(4)));
    }
  };
  int alike = 0, told = 0, differ = 0;
  for (int round = 0; round < 600; ++round) {
    std::array<Value, 3> parts;
    for (std::int64_t i = 0; i < 3; ++i) parts[static_cast<std::size_t>(i)] = any(i);
    const auto made = [&] {
      Value all = number(0);
      for (const Value& part : parts) {
        const Value other = x(static_cast<std::int64_t>(3 + below(2)));
        const Value condition = p_.binary(Operator::kEq, s(), other, number(0));
        const Value term = product(number(1 + static_cast<int>(below(2))), part);
        all = sum(all, below(3) == 0 ? p_.select(condition, term, number(0), s()) : term);
      }
      return all;
    };
    Equation e;
    e.actual = made();
    e.expected = made();
    e.scalar = s();
    std::vector<std::string> names{"x", "y"};
    const auto out = with_functions_as_elements({e}, p_, names);
    if (!out) continue;
    const Equation& changed = (*out)[0];
    const bool is_different = Concrete(p_).differ(s(), e.actual, e.expected);
    if (changed.holds(changed.actual)) {
      EXPECT_FALSE(is_different) << p_.describe(e.actual, names) << " and " << p_.describe(e.expected, names);
      ++alike;
    } else if (lawless(p_, std::array{changed.actual, changed.expected}).empty()) {
      ++told;
      differ += is_different ? 1 : 0;
    }
  }
  EXPECT_GT(alike, 5);
  EXPECT_GT(told, 20);
  EXPECT_EQ(differ, told);
}

INSTANTIATE_TEST_SUITE_P(Types, FunctionsOf, testing::Values(Scalar::kI32, Scalar::kU32, Scalar::kF32, Scalar::kI64),
                         [](const auto& info) { return "Type" + std::to_string(static_cast<int>(info.param)); });

// While it is searched, and not afterwards.
TEST(FunctionsAsElements, AreThereForAWhile) {
  Problem problem;
  problem.buffer_names = {"x", "y"};
  Equation e;
  const Value x = problem.provenance.input(BufferId(std::size_t{0}), 3, Scalar::kI32);
  e.actual = e.expected =
      problem.provenance.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(Intrinsic::kAbs), Scalar::kI32, {x});
  problem.equations = {e};
  {
    const FunctionsAsElements elements(problem);
    EXPECT_EQ(problem.provenance.describe(problem.equations[0].expected, problem.buffer_names), "abs(x)[3]");
  }
  EXPECT_EQ(problem.equations[0].expected, e.expected);
  EXPECT_EQ(problem.buffer_names.size(), 2u);
}

}  // namespace
}  // namespace swizzle::functions_as_elements_test
