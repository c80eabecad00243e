#include "synth/provenance/guard_bounds.h"

#include <optional>
#include <utility>

#include <gtest/gtest.h>

namespace swizzle::guard_bounds_test {
namespace {

using Bounds = std::optional<std::pair<std::int64_t, std::int64_t>>;

class GuardBounds : public testing::Test {
 protected:
  Value is(Operator op, Value a, std::int64_t number, Scalar s = Scalar::kI32) {
    return p_.binary(op, s, a, Value::integer(number));
  }
  Value both(Value a, Value b) { return p_.binary(Operator::kLogicalAnd, Scalar::kBool, a, b); }
  Value either(Value a, Value b) { return p_.binary(Operator::kLogicalOr, Scalar::kBool, a, b); }
  Value no(Value a) { return p_.unary(Operator::kLogicalNot, Scalar::kBool, a); }

  Bounds under(Value condition, Value of) const {
    const NodeBounds all = bounds_under(p_, condition);
    const auto at = all.find(of.aux);
    return at == all.end() ? Bounds() : Bounds({at->second.low, at->second.high});
  }

  Provenance p_;
  const Value k_ = p_.input(BufferId(0), 3, Scalar::kI32);
};

TEST_F(GuardBounds, AreThoseOfAllParts) {
  const Value inside = both(is(Operator::kGe, k_, 0), is(Operator::kLt, k_, 10));
  EXPECT_EQ(under(inside, k_), Bounds({0, 9}));
  EXPECT_EQ(under(both(inside, is(Operator::kNe, k_, 4)), k_), Bounds({0, 9}));
  EXPECT_EQ(under(both(inside, is(Operator::kGt, k_, 4)), k_), Bounds({5, 9}));
  EXPECT_EQ(under(is(Operator::kEq, k_, 7), k_), Bounds({7, 7}));
}

TEST_F(GuardBounds, AreOfWhatIsDeniedToo) {
  const Value outside = either(is(Operator::kLt, k_, 0), is(Operator::kGe, k_, 10));
  EXPECT_EQ(under(no(outside), k_), Bounds({0, 9}));
  EXPECT_EQ(under(outside, k_), Bounds());
  EXPECT_EQ(under(no(both(is(Operator::kGe, k_, 0), is(Operator::kLt, k_, 10))), k_), Bounds());
}

// Below a number without a sign, a value is at least 0, whatever its type; above one it is anything.
TEST_F(GuardBounds, AreOfNumbersThatAreTheSameInBothTypes) {
  const Value word = p_.convert(k_, Scalar::kI32, Scalar::kU64);
  EXPECT_EQ(under(is(Operator::kLt, word, 10, Scalar::kU64), word), Bounds({0, 9}));
  EXPECT_EQ(under(is(Operator::kLt, word, 10, Scalar::kU64), k_), Bounds({0, 9}));
  EXPECT_EQ(under(is(Operator::kGe, word, 10, Scalar::kU64), k_), Bounds());
  const Value unsigned_k = p_.convert(k_, Scalar::kI32, Scalar::kU32);
  EXPECT_EQ(under(is(Operator::kLt, unsigned_k, 10, Scalar::kU32), unsigned_k), Bounds({0, 9}));
  EXPECT_EQ(under(is(Operator::kGe, unsigned_k, 10, Scalar::kU32), unsigned_k), Bounds());
  EXPECT_EQ(under(is(Operator::kLt, unsigned_k, 3'000'000'000, Scalar::kU32), unsigned_k), Bounds());
}

TEST_F(GuardBounds, AreNoneOfReals) {
  const Value x = p_.input(BufferId(1), 0, Scalar::kF32);
  EXPECT_EQ(under(p_.binary(Operator::kLt, Scalar::kF32, x, Value::real(3)), x), Bounds());
  EXPECT_EQ(under(Value::integer(1), k_), Bounds());
}

}  // namespace
}  // namespace swizzle::guard_bounds_test
