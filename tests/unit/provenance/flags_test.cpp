#include "synth/provenance/flags.h"

#include <array>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "synth/provenance/concrete.h"

namespace swizzle::flags_test {
namespace {

class FlagWords : public testing::TestWithParam<Scalar> {
 protected:
  Scalar s() const { return GetParam(); }
  int width() const { return bit_width(s()); }
  Value x(std::int64_t i) { return p_.input(BufferId(std::size_t{0}), i, Scalar::kI32); }
  Value is_above(std::int64_t i, int bound) {
    return p_.binary(Operator::kLt, Scalar::kI32, Value::integer(bound), x(i));
  }
  Value flag(std::int64_t i, int bound = 3) { return p_.convert(is_above(i, bound), Scalar::kBool, s()); }
  Value operate(Operator op, Value a, Value b) { return p_.normalize(p_.binary(op, s(), a, b)); }
  Value with_bits(const std::vector<Value>& flags) {
    Value word = Value::integer(0);
    for (std::size_t k = 0; k < flags.size(); ++k)
      word = operate(Operator::kAdd, word, operate(Operator::kShl, flags[k], Value::integer(static_cast<int>(k))));
    return word;
  }

  Provenance p_;
};

TEST_P(FlagWords, HaveBits) {
  const Value word = with_bits({flag(0), flag(1), flag(2)});
  EXPECT_EQ(operate(Operator::kAnd, word, Value::integer(5)), with_bits({flag(0), Value::integer(0), flag(2)}));
  EXPECT_EQ(operate(Operator::kShr, word, Value::integer(1)), with_bits({flag(1), flag(2)}));
  EXPECT_EQ(operate(Operator::kOr, with_bits({flag(0)}), operate(Operator::kShl, flag(1), Value::integer(1))),
            with_bits({flag(0), flag(1)}));
  EXPECT_EQ(operate(Operator::kXor, word, word), Value::integer(0));
  EXPECT_EQ(operate(Operator::kAnd, word, p_.unary(Operator::kBitNot, s(), word)), Value::integer(0));
}

TEST_P(FlagWords, AreCounted) {
  const Value word = with_bits({flag(0), flag(1), flag(2)});
  const auto count = count_flags(p_, s(), operate(Operator::kAnd, word, Value::integer(6)));
  ASSERT_TRUE(count);
  const auto as_int = [&](int i) { return p_.convert(is_above(i, 3), Scalar::kBool, Scalar::kI32); };
  EXPECT_EQ(*count, p_.normalize(p_.binary(Operator::kAdd, Scalar::kI32, as_int(1), as_int(2))));
}

TEST_P(FlagWords, MayBeChosenByHoles) {
  const Value word = with_bits({flag(0), flag(1)}), other = with_bits({flag(2), flag(3)});
  const PointId p(std::size_t{0});
  const auto masked = operate(Operator::kAnd, word, p_.choice(p, {Value::integer(1), Value::integer(2)}));
  EXPECT_EQ(masked, p_.choice(p, {flag(0), operate(Operator::kAnd, word, Value::integer(2))}));
  const Value chosen = p_.select(p_.choice(p, {Value::integer(0), Value::integer(1)}), other, word, s());
  const auto counted = count_flags(p_, s(), chosen);
  ASSERT_TRUE(counted);
  PointId blocked;
  EXPECT_EQ(p_.normalize(p_.resolve(*counted, {1}, blocked)), *count_flags(p_, s(), other));
  EXPECT_EQ(p_.normalize(p_.resolve(*counted, {0}, blocked)), *count_flags(p_, s(), word));
}

TEST_P(FlagWords, ArePlainNumbersWhereTheyAreNone) {
  EXPECT_FALSE(count_flags(p_, s(), p_.convert(x(0), Scalar::kI32, s())));
  EXPECT_FALSE(operate_on_flags(p_, Operator::kAnd, s(), p_.convert(x(0), Scalar::kI32, s()), flag(0)));
  EXPECT_FALSE(operate_on_flags(p_, Operator::kShr, s(), flag(0), Value::integer(width())));
  Value many = Value::integer(0);
  for (int i = 0; i < 12; ++i) many = operate(Operator::kAdd, many, flag(i));
  EXPECT_FALSE(count_flags(p_, s(), many)) << "twelve flags in one place carry";
}

// Whatever its form is, a word is what it was made of.
TEST_P(FlagWords, KeepValues) {
  std::mt19937 random(static_cast<unsigned>(s()) + 3);
  const auto below = [&](unsigned n) { return random() % n; };
  using Data = std::array<std::int64_t, 4>;
  using Evaluated = std::function<std::int64_t(const Data&)>;
  using Made = std::pair<Value, Evaluated>;
  const std::function<Made(int)> word = [&](int depth) -> Made {
    if (depth == 0) {
      const int i = static_cast<int>(below(4)), bound = static_cast<int>(below(3)) * 100 - 100,
                k = static_cast<int>(below(static_cast<unsigned>(width())));
      if (below(4) == 0) return {Value::integer(wrap(s(), bound)), [=, this](const Data&) { return wrap(s(), bound); }};
      return {operate(Operator::kShl, flag(i, bound), Value::integer(k)), [=, this](const Data& in) {
                const std::uint64_t bit = in[static_cast<std::size_t>(i)] > bound ? 1 : 0;
                return wrap(s(), static_cast<std::int64_t>(bit << k));
              }};
    }
    const auto a = word(depth - 1), b = word(depth - 1);
    const int k = static_cast<int>(below(static_cast<unsigned>(width())));
    const Operator op = std::array{Operator::kAnd, Operator::kOr,  Operator::kXor,
                                   Operator::kAdd, Operator::kShl, Operator::kShr}[below(6)];
    const bool shifts = op == Operator::kShl || op == Operator::kShr;
    const Scalar type = s();
    return {operate(op, a.first, shifts ? Value::integer(k) : b.first), [=](const Data& in) {
              bool defined = true;
              return apply(op, type, a.second(in), shifts ? k : b.second(in), defined);
            }};
  };
  int compared = 0, counted = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto [made, evaluated] = word(3);
    const auto count = count_flags(p_, s(), made);
    Concrete concrete(p_);
    concrete.start(static_cast<std::uint64_t>(round));
    Data in{};
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = wrap(Scalar::kI32, *concrete.integer(x(static_cast<int>(i))));
    const auto at = [&](Value v) { return v.is_node() ? concrete.integer(v) : std::optional(v.bits); };
    const std::int64_t wanted = evaluated(in);
    const auto got = at(made);
    ASSERT_TRUE(got);
    EXPECT_EQ(wrap(s(), *got), wrap(s(), wanted)) << round;
    ++compared;
    if (!count) continue;
    const std::uint64_t bits = static_cast<std::uint64_t>(wanted) << (64 - width()) >> (64 - width());
    EXPECT_EQ(wrap(Scalar::kI32, *at(*count)), std::popcount(bits)) << round;
    ++counted;
  }
  EXPECT_GT(counted, compared / 2);
}

INSTANTIATE_TEST_SUITE_P(OfEachType, FlagWords, testing::Values(Scalar::kU32, Scalar::kI32, Scalar::kU64, Scalar::kI64),
                         [](const auto& i) { return "Type" + std::to_string(static_cast<int>(i.param)); });

TEST(FlagWordsOfOtherTypes, AreWidened) {
  Provenance p;
  std::map<int, Value> said;
  for (int i : {0, 31}) {
    const Value x = p.input(BufferId(std::size_t{0}), i, Scalar::kI32);
    const Value is_below = p.binary(Operator::kLt, Scalar::kI32, x, Value::integer(5));
    said.emplace(i, p.convert(is_below, Scalar::kBool, Scalar::kI32));
  }
  const Value ballot = vote(p, Intrinsic::kBallot, Scalar::kI32, said);
  const auto at = [&](int lane, std::int64_t times) {
    const Value one = p.convert(said.at(lane), Scalar::kI32, Scalar::kI64);
    return p.binary(Operator::kMul, Scalar::kI64, one, Value::integer(times));
  };
  const auto sum = [&](Value a, Value b) { return p.normalize(p.binary(Operator::kAdd, Scalar::kI64, a, b)); };
  EXPECT_EQ(p.convert(ballot, Scalar::kU32, Scalar::kI64), sum(at(0, 1), at(31, std::int64_t{1} << 31)));
  EXPECT_EQ(p.convert(ballot, Scalar::kI32, Scalar::kI64), sum(at(0, 1), at(31, -(std::int64_t{1} << 31))));
}

}  // namespace
}  // namespace swizzle::flags_test
